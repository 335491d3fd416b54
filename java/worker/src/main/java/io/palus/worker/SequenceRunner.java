package io.palus.worker;

import io.palus.wire.Kinds.End;
import io.palus.worker.instrument.ProbeTable;
import io.palus.worker.runtime.ApiCalls;
import io.palus.worker.runtime.Changes;
import io.palus.worker.runtime.Distances;
import io.palus.worker.runtime.Fixed;
import io.palus.worker.runtime.Guard;
import io.palus.worker.runtime.HandOvers;
import io.palus.worker.runtime.MissingFiles;
import io.palus.worker.runtime.Probes;
import io.palus.worker.runtime.Referents;
import io.palus.worker.runtime.Statics;
import io.palus.worker.runtime.ThreadLocals;
import io.palus.worker.runtime.Timers;
import java.io.IOException;

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
  private final Steps steps;
  private final int fuel;
  private final int maxDepth;
  private boolean isSpoilt;
  private boolean isSpoiltForGood; // a thread has work that it cannot be told to forget

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
    this.steps = new Steps(subject);
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

  /** What a class initialiser that just ran would leave in any JVM; null for nothing. */
  String leftByInitializer() {
    boolean areBusy = HandOvers.areVirtual() || threads.anyBusy();
    return areBusy ? "a thread or timer" : system.leftByInitializer();
  }

  /** Class initialisers begin, in the environment that there is now. */
  void begin() {
    system.begin();
  }

  /** What class initialisers changed, as they may, stays. */
  void settle() {
    system.settle();
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
    ApiCalls.start();
    kernel.mark();
  }

  /** After subject code ran: all that outlives a sequence is as it was. */
  void leave() {
    system.restore(subject.loader());
    if (Guard.mayHaveFiles()) {
      work.restore();
    }
    ThreadLocals.clear();
    Referents.release();
    subject.statics().restore();
  }

  /** Before a sequence; gives who runs it. */
  Steps start() {
    enter();
    memory.start();
    return steps;
  }

  /**
   * After a sequence; an OutOfMemoryError comes out as it is, and where the sequence allocated too
   * much.
   *
   * @param thrown what ended it; null where all of it ran
   */
  void end(SequenceReader sequence, Throwable thrown, OutcomeWriter out) throws IOException {
    try {
      finish(sequence, thrown, out);
    } finally {
      steps.clear(sequence);
      leave();
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
    int end = steps.statement();
    Throwable[] again = new Throwable[1];
    steps.clear(sequence);
    ThreadLocals.clear();
    Probes.refuel(fuel);
    kernel.mark();
    out.unwritten(() -> again[0] = steps.run(sequence, out));
    boolean isSameEnd =
        thrown == null
            ? again[0] == null
            : again[0] != null && again[0].getClass() == thrown.getClass();
    boolean isDenied = MissingFiles.orOutside(kernel.since()) != null;
    return isSameEnd && steps.statement() == end && !isDenied && Probes.stop() == Probes.Stop.NONE;
  }

  /** What a sequence that may be shown does only where it runs again; null for nothing. */
  private String deniedAgain(SequenceReader sequence, OutcomeWriter out) throws IOException {
    int end = steps.statement();
    Runnable again =
        () -> {
          steps.clear(sequence);
          ThreadLocals.clear();
          Probes.refuel(fuel);
          out.unwritten(() -> steps.run(sequence, out));
        };
    Runnable afresh =
        () -> {
          subject.statics().restore();
          again.run();
        };
    String denied = system.leftUnseen(afresh);
    if (denied == null) {
      denied = WhereVariablesAreSet.denied(user, subject.texts(), kernel, again);
    }
    if (Guard.mayHaveThreads() && threads.anyStarted()) {
      Probes.dry();
      isSpoilt |= !threads.endAll();
      threads.mark();
    }
    steps.setStatement(end);
    return denied;
  }

  private void finish(SequenceReader sequence, Throwable thrown, OutcomeWriter out)
      throws IOException {
    Distances.end();
    ApiCalls.end();
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
    boolean wokeThread = !hasThreads && threads.anyWoken();
    boolean startedThread = hasThreads || wokeThread || Timers.mayFire() || HandOvers.areAny();
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
    isSpoiltForGood |= HandOvers.areAny() && !hasThreads || wokeThread && !threads.areAsleep();
    if (hasThreads || Timers.areMade()) {
      isSpoilt |= !threads.endAll();
      threads.mark();
    }
    boolean isLookedAt = isNew || user.areWatched();
    String changed = isLookedAt ? user.changed() : null;
    boolean leavesThreadLocals = ThreadLocals.areLeft();
    if (changed == null && left == null && isNew && !startedThread && stop == Probes.Stop.NONE) {
      left = deniedAgain(sequence, out);
    } else if (isNew) {
      system.putBackUnseen();
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
      isShown = Thrown.tell(thrown, steps.statement(), out);
      if (isShown) {
        out.fail(thrown);
      }
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
