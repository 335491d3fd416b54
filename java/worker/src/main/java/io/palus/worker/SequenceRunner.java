package io.palus.worker;

import io.palus.wire.Kinds.Constant;
import io.palus.wire.Kinds.End;
import io.palus.worker.instrument.ProbeTable;
import io.palus.worker.runtime.Changes;
import io.palus.worker.runtime.Distances;
import io.palus.worker.runtime.Fixed;
import io.palus.worker.runtime.Guard;
import io.palus.worker.runtime.HandOvers;
import io.palus.worker.runtime.Invoker;
import io.palus.worker.runtime.MissingFiles;
import io.palus.worker.runtime.Probes;
import io.palus.worker.runtime.Statics;
import io.palus.worker.runtime.ThreadLocals;
import io.palus.worker.runtime.Timers;
import java.io.IOException;
import java.util.Arrays;

/** Runs one sequence after another and writes what each did. */
final class SequenceRunner {
  /** What took more than this part of its fuel does not run again. */
  private static final int MOST_AGAIN = 4;

  private final Subject subject;
  private final ProbeTable table;
  private final LiveThreads threads;
  private final SystemState system = new SystemState();
  private final WorkFolder work;
  private final UserFiles user;
  private final Denials kernel;
  private final AllocationMeter memory;
  private final SeenProbes seen = new SeenProbes();
  private final int fuel;
  private final int maxDepth;
  private Object[] slots = new Object[64];
  private boolean isSpoilt;
  private boolean isSpoiltForGood; // a thread has work that it cannot be told to forget

  /** Where the sequence is, or ended. */
  private int statement;

  SequenceRunner(
      Subject subject,
      ProbeTable table,
      LiveThreads threads,
      WorkFolder work,
      UserFiles user,
      Denials kernel,
      int fuel,
      int maxDepth) {
    this.subject = subject;
    this.work = work;
    this.user = user;
    this.kernel = kernel;
    this.memory = subject.classes().memory();
    this.table = table;
    this.threads = threads;
    this.fuel = fuel;
    this.maxDepth = maxDepth;
  }

  /** Classes are loaded anew: nothing of the old ones stays. */
  void renew() {
    system.renew();
    seen.clear();
  }

  /** No probe is touched yet. */
  void forget() {
    seen.clear();
  }

  /** True once a thread of the subject could not be ended: this JVM must not run more of it. */
  boolean isSpoilt() {
    return isSpoilt || isSpoiltForGood;
  }

  /** Tries once more to end such threads. */
  boolean staysSpoilt() {
    isSpoilt = isSpoilt && !threads.endAll();
    return isSpoilt();
  }

  /** What class initialisers that ran would leave in any JVM; null for nothing. */
  String leftByInitializers() {
    return threads.anyBusy() ? "a thread or timer" : system.leftByInitializers();
  }

  /** Before subject code runs. */
  void enter() {
    Probes.reset(fuel, maxDepth);
    Distances.reset();
    Guard.reset();
    Timers.reset();
    HandOvers.reset();
    Changes.reset();
    Fixed.reset();
    kernel.mark();
  }

  /** After subject code ran: all that outlives a sequence is as it was. */
  void leave() {
    system.restore(subject.loader());
    if (Guard.mayHaveFiles()) {
      work.restore();
    }
    ThreadLocals.clear();
    subject.statics().restore();
  }

  /**
   * Runs a sequence; an OutOfMemoryError comes out as it is, and where the sequence allocated too
   * much.
   */
  void run(SequenceReader sequence, OutcomeWriter out) throws IOException {
    if (sequence.count > slots.length) {
      slots = new Object[Math.max(sequence.count, slots.length * 2)];
    }
    enter();
    memory.start();
    Throwable thrown = steps(sequence, out);
    try {
      finish(sequence, thrown, out);
    } finally {
      Arrays.fill(slots, 0, sequence.count, null);
      leave();
    }
  }

  /** Gives what the statement threw at which it ended; null where none threw. */
  private Throwable steps(SequenceReader sequence, OutcomeWriter out) {
    try {
      for (statement = 0; statement < sequence.count; statement++) {
        step(sequence, statement, out);
        if (Probes.stop() != Probes.Stop.NONE) {
          break;
        }
      }
      return null;
    } catch (Throwable e) { // whatever the subject throws is an outcome
      return e;
    }
  }

  /**
   * True if it ends the same way once more, in the static state and the files that it left: written
   * tests share one JVM, and others may have run before. Values in thread-locals are gone then:
   * tests that leave some run in threads of their own.
   */
  private boolean endsAgain(SequenceReader sequence, Throwable thrown, OutcomeWriter out) {
    boolean leavesNothing =
        Statics.touchedCount() == 0 && !Changes.areAny() && !Guard.mayHaveFiles();
    if (leavesNothing || Probes.cost() > fuel / MOST_AGAIN) {
      return true;
    }
    int end = statement;
    Throwable[] again = new Throwable[1];
    Arrays.fill(slots, 0, sequence.count, null);
    ThreadLocals.clear();
    Probes.refuel(fuel);
    kernel.mark();
    out.unwritten(() -> again[0] = steps(sequence, out));
    boolean isSameEnd =
        thrown == null
            ? again[0] == null
            : again[0] != null && again[0].getClass() == thrown.getClass();
    boolean isDenied = MissingFiles.orOutside(kernel.since()) != null;
    return isSameEnd && statement == end && !isDenied && Probes.stop() == Probes.Stop.NONE;
  }

  private String deniedWhereVariablesAreSet(SequenceReader sequence, OutcomeWriter out)
      throws IOException {
    int end = statement;
    Runnable again =
        () -> {
          Arrays.fill(slots, 0, sequence.count, null);
          ThreadLocals.clear();
          Probes.refuel(fuel);
          out.unwritten(() -> steps(sequence, out));
        };
    String denied = WhereVariablesAreSet.denied(user, subject.texts(), kernel, again);
    if (Guard.mayHaveThreads() && threads.anyStarted()) {
      Probes.dry();
      isSpoilt |= !threads.endAll();
      threads.mark();
    }
    statement = end;
    return denied;
  }

  private void step(SequenceReader sequence, int i, OutcomeWriter out) throws Throwable {
    int receiver = sequence.receivers[i];
    int from = sequence.starts[i];
    switch (sequence.kinds[i]) {
      case CONSTANT:
        Constant kind = sequence.constantKinds[i];
        Object value = sequence.objects[i];
        if (kind == Constant.ENUM_CONSTANT) {
          value = subject.enumConstant((String) value, sequence.names[i]);
        } else if (kind == Constant.CLASS_LITERAL) {
          value = subject.type((String) value);
        }
        slots[i] = value;
        out.observe(value, kind.compareTo(Constant.TEXT) < 0, slots, i);
        break;
      case CALL:
        call(subject.method(sequence.members[i]), receiver, sequence.arguments, from, i, out);
        break;
      case GET_FIELD:
        MethodEntry get = subject.field(sequence.members[i], false);
        call(get, receiver, sequence.arguments, from, i, out);
        break;
      case SET_FIELD:
        MethodEntry set = subject.field(sequence.members[i], true);
        call(set, receiver, sequence.arguments, from, i, out);
        break;
      case NEW_ARRAY:
        String type = (String) sequence.objects[i];
        int to = sequence.starts[i + 1];
        slots[i] = subject.newArray(type, slots, sequence.arguments, from, to);
        out.observe(slots[i], false, slots, i);
        break;
      default:
        Object[] answers = new Object[sequence.open[i].length];
        for (int k = 0; k < answers.length; k++) {
          int slot = sequence.arguments[from + k];
          answers[k] = slot < 0 ? null : slots[slot];
        }
        slots[i] = subject.stub((String) sequence.objects[i], sequence.open[i], answers);
        out.observe(slots[i], false, slots, i);
        break;
    }
  }

  private void call(
      MethodEntry entry, int receiver, int[] arguments, int from, int i, OutcomeWriter out)
      throws Throwable {
    Invoker invoker = entry.invoker;
    if (invoker == null) {
      invoker = subject.invoker(entry);
    }
    if (receiver < 0 && entry.hasReceiver()) {
      throw new UnusableException("no receiver for " + entry.owner + "." + entry.name);
    }
    slots[i] = invoker.call(slots, receiver, arguments, from);
    if (Probes.stop() != Probes.Stop.NONE) {
      return;
    }
    if (entry.result == 'V') {
      out.nothing();
    } else {
      out.observe(slots[i], entry.result != 'L' && entry.result != '[', slots, i);
    }
  }

  private void finish(SequenceReader sequence, Throwable thrown, OutcomeWriter out)
      throws IOException {
    Distances.end();
    Probes.Stop stop = Probes.stop();
    String denied = Probes.denied();
    int cost = Probes.cost();
    if (thrown instanceof OutOfMemoryError && stop == Probes.Stop.NONE) {
      throw (OutOfMemoryError) thrown;
    }
    String refused = MissingFiles.orOutside(kernel.since());
    if (refused != null && stop == Probes.Stop.NONE) {
      stop = Probes.Stop.DENIED;
      denied = refused;
    }
    boolean hasThreads = Guard.mayHaveThreads() ? threads.anyStarted() : threads.anyUnseen();
    boolean startedThread = hasThreads || Timers.mayFire() || HandOvers.areAny();
    String left = startedThread ? null : left();
    // Whoever uses the same class later does not see it initialised; the project's own tests will.
    isSpoiltForGood |= (startedThread || left != null) && Guard.isByInitializer();
    isSpoiltForGood |= MissingFiles.isByInitializer();
    if (!startedThread && stop == Probes.Stop.NONE) {
      memory.check();
    }
    int touched = Probes.touchedCount();
    boolean isNew = seen.isNew(touched);
    long[] probes = isNew ? table.name(Probes.touched(), touched) : null;
    if (startedThread || Timers.areUsed()) {
      Probes.dry();
      Timers.end();
    }
    isSpoiltForGood |= HandOvers.areAny() && !hasThreads;
    if (hasThreads || Timers.areMade()) {
      isSpoilt |= !threads.endAll();
      threads.mark();
    }
    boolean isLookedAt = isNew || user.areWatched();
    String changed = isLookedAt ? user.changed() : null;
    boolean leavesThreadLocals = ThreadLocals.areLeft();
    if (changed == null && left == null && isNew && !startedThread && stop == Probes.Stop.NONE) {
      left = deniedWhereVariablesAreSet(sequence, out);
    }
    boolean isShown = false;
    // First of all: with a second thread, the rest is a matter of luck.
    if (startedThread) {
      out.end(End.STARTED_THREAD);
    } else if (stop == Probes.Stop.FUEL) {
      out.end(End.OUT_OF_FUEL);
    } else if (stop == Probes.Stop.DEPTH || thrown instanceof StackOverflowError) {
      out.end(End.TOO_DEEP);
    } else if (changed != null) {
      out.end(End.DENIED, "a change of " + changed);
    } else if (stop == Probes.Stop.DENIED) {
      out.end(End.DENIED, denied);
    } else if (stop == Probes.Stop.WAIT) {
      out.end(End.TIMED_OUT);
    } else if (left != null) {
      out.end(End.DENIED, left);
    } else if (thrown == null) {
      out.end(End.COMPLETED);
      isShown = true;
    } else {
      Probes.refuel(fuel); // the exception's own methods are the subject's code
      isShown = Thrown.tell(thrown, statement, out);
    }
    if (probes == null) {
      out.noProbes();
    } else {
      out.probes(probes);
    }
    boolean repeats = !isNew || !isShown || endsAgain(sequence, thrown, out);
    if (isLookedAt && user.changed() != null) {
      repeats = false;
      user.repair();
    }
    if (isNew && isShown) {
      seen.add(touched, repeats);
    }
    out.aftermath(cost, leavesThreadLocals, repeats);
    if (startedThread) {
      out.noNearness(); // a matter of luck, too
    } else {
      out.nearness();
    }
  }

  /** What the sequence would leave in the JVM of the project's own tests; null for nothing. */
  private String left() {
    boolean isQueued = Guard.mayHaveThreads() && HandOvers.areQueued();
    isSpoiltForGood |= isQueued;
    String first = isQueued ? "a task of the common pool" : Timers.left();
    String left = first != null ? first : system.left(subject.loader());
    return left == null ? null : "to leave " + left;
  }
}
