package io.palus.worker.verify;

import io.palus.worker.Denials;
import io.palus.worker.ExitCode;
import io.palus.worker.Globals;
import io.palus.worker.StandardStreams;
import io.palus.worker.UserFiles;
import io.palus.worker.Watchdog;
import io.palus.worker.runtime.HandOvers;
import io.palus.worker.runtime.OtherDate;
import io.palus.worker.verify.ListedTest.How;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * One pass over the tests of a list, each on a new instance of its class. Those that are to run
 * often run again after that, all together in rounds, each with all classes loaded anew: then even
 * what a static field has held since its class was loaded has another identity hash code. Then all
 * that passed run in some more orders.
 *
 * <p>Or a search for what breaks the first test of the list: it runs again after each other one.
 */
final class TestRun {
  /** What passes by chance in eight runs of ten still fails in one of these, but for one in 87. */
  private static final int ROUNDS = 20;

  /** With the rounds, what one draw of fifty brings is seen but for one in 400. */
  private static final int DRAWS = 15;

  private static final long PATIENCE_FOR_DRAWS_NANOS = 100_000_000;

  /** A test that took so long in all its rounds is in no other: most take a thousandth of it. */
  private static final long PATIENCE_NANOS = 300_000_000;

  private static final String UNGUARDED = ", which has no guards against harm";

  private final List<ListedTest> tests;
  private final AnewLoader.Path classPath;
  private final PrintStream out;
  private final int limitMillis;
  private final UserFiles user;
  private final Denials kernel;
  private final Watchdog watchdog = new Watchdog(this::giveUp);
  private final Threads threads = new Threads();
  private final Refusals refusals;
  private final TestCall call = new TestCall();
  private Globals globals;

  /** Those that passed each time. */
  private final BitSet passed = new BitSet();

  /** What the test last run left of the thread that runs all; null for nothing. */
  private String ofThread;

  /**
   * Whether that goes on, or holds for all code: then it does not matter whether a class
   * initialiser did it, and the next test is to run such initialisers again.
   */
  private boolean isArmed;

  private boolean tellsLines;

  /** Whether a class has no guards: others are to have one that has. */
  private boolean lacksGuards;

  /** Whether a test was dropped for that since this was last cleared. */
  private boolean isBlamed;

  /** Whether all classes are gone through after each test, which takes long, not the loader's. */
  private boolean looksEverywhere;

  /** Whether the test last run failed by what it was denied, or left behind. */
  private boolean isDenied;

  private volatile int current;

  TestRun(List<ListedTest> tests, PrintStream out, int limitMillis, UserFiles user, Denials kernel)
      throws IOException {
    this.classPath = new AnewLoader.Path(); // the property may be changed
    this.user = user;
    this.kernel = kernel;
    this.refusals = new Refusals(kernel, threads);
    this.tests = tests;
    this.out = out;
    this.limitMillis = limitMillis;
  }

  /** Tells of each test that fails in which of its lines. */
  void tellLines() {
    tellsLines = true;
  }

  /** Runs all, those that passed in so many further orders, too. */
  ExitCode runAll(int orders) throws IOException {
    begin();
    runAgain(runInOrder());
    call.collectNoMore();
    Random random = new Random(0); // one for all: the first number of each seed near 0 is the same
    for (int order = 0; order < orders; order++) {
      runInOrder(random);
    }
    return end();
  }

  /** Tells after which the first one fails; what one left but in static fields ends the search. */
  ExitCode search(int mostFound) throws IOException {
    begin();
    ClassLoader loader = anew();
    boolean isWhole = passes(0, loader);
    int found = 0;
    for (int i = 1; i < tests.size() && isWhole; i++) {
      passes(i, loader);
      if (!passes(0, loader)) {
        tell("breaks " + i);
        loader = anew();
        isWhole = ++found < mostFound && passes(0, loader);
      }
    }
    return end();
  }

  private void begin() throws IOException {
    StandardStreams.set();
    if (limitMillis > 0) {
      watchdog.start(limitMillis);
    }
    threads.mark();
    globals = Globals.now();
    user.leaveOut(kernel);
  }

  private ExitCode end() throws IOException {
    tell("done");
    ExitCode.NORMAL.haltLater();
    return ExitCode.NORMAL;
  }

  /** Returns those that are to run often. */
  private List<Integer> runInOrder() throws IOException {
    List<Integer> often = new ArrayList<>();
    ClassLoader loader = getClass().getClassLoader();
    for (int i = 0; i < tests.size(); i++) {
      if (tests.get(i).how == How.ANEW || isArmed) {
        loader = anew();
      }
      How how = tests.get(i).how;
      if (passes(i, loader) && (how == How.OFTEN || how == How.DRAWN)) {
        often.add(i);
      }
    }
    return often;
  }

  /** Runs what passed so far in another order, with classes loaded anew before the first one. */
  private void runInOrder(Random random) throws IOException {
    List<Integer> order = passed.stream().boxed().collect(Collectors.toList());
    Collections.shuffle(order, random);
    runInOrder(order);
    blame(order);
  }

  /**
   * Looks for classes without guards that loaders of somebody's own defined: of which test they are
   * is seen when all classes are gone through. If none shows one again, it may be of any.
   */
  private void blame(List<Integer> order) throws IOException {
    String unguarded = GuardAgent.withoutGuards();
    if (unguarded == null) {
      return;
    }
    looksEverywhere = true;
    isBlamed = false;
    order.retainAll(passed.stream().boxed().collect(Collectors.toSet()));
    runInOrder(order);
    for (int i : isBlamed ? Collections.<Integer>emptyList() : order) {
      passed.clear(i);
      tell("deny " + i + " it ran beside " + unguarded + UNGUARDED);
    }
  }

  private void runInOrder(List<Integer> order) throws IOException {
    ClassLoader loader = anew();
    for (int i : order) {
      if (isArmed) {
        loader = anew();
      }
      passes(i, loader);
    }
  }

  /** Not closed: objects of an earlier one may still load classes. */
  private ClassLoader anew() throws IOException {
    user.renew(kernel);
    ClassLoader loader = new AnewLoader(classPath);
    Thread.currentThread().setContextClassLoader(loader);
    return loader;
  }

  private void runAgain(List<Integer> often) throws IOException {
    runAgain(often, 1, PATIENCE_NANOS);
    often.removeIf(test -> tests.get(test).how != How.DRAWN || !passed.get(test));
    runAgain(often, DRAWS, PATIENCE_FOR_DRAWS_NANOS);
  }

  /** In each round on another date; a test that fails or takes too long is in no further one. */
  private void runAgain(List<Integer> which, int times, long patience) throws IOException {
    List<Integer> often = new ArrayList<>(which);
    long[] taken = new long[tests.size()];
    for (int i = 0; i < ROUNDS && !often.isEmpty(); i++) {
      OtherDate.move(i);
      user.renew(kernel);
      try (URLClassLoader loader = new AnewLoader(classPath)) {
        Thread.currentThread().setContextClassLoader(loader);
        for (int test : often) {
          for (int time = 0; time < times && taken[test] <= patience && passed.get(test); time++) {
            long start = System.nanoTime();
            passes(test, loader);
            taken[test] += System.nanoTime() - start;
          }
        }
        often.removeIf(test -> taken[test] > patience);
        often.retainAll(passed.stream().boxed().collect(Collectors.toSet()));
        blame(new ArrayList<>(often));
        often.retainAll(passed.stream().boxed().collect(Collectors.toSet()));
      }
    }
    OtherDate.moveBack();
  }

  private boolean passes(int number, ClassLoader loader) throws IOException {
    current = number;
    lacksGuards = false;
    tell("start " + number);
    String failure = timed(number, loader);
    String left = left();
    String refusedLater = refusals.since(); // to a thread of its own
    if (refusedLater != null && failure == null) {
      failure = denied("is denied " + refusedLater);
    }
    boolean isForAll = StandardStreams.wereUsed() || globals.changedForAll() != null;
    isArmed = lacksGuards || left != null && (isForAll || threads.areBusy());
    if (left != null && failure == null && (isArmed || leavesAgain(number, loader))) {
      failure = denied("leaves " + left + " behind");
    }
    if (left != null) {
      isArmed |= StandardStreams.wereUsed(); // who holds a closed one is loaded anew
      putBack();
    }
    if (tellsLines && failure != null && call.failedAt() > 0) {
      tell("at " + number + " " + call.failedAt());
    }
    passed.set(number, failure == null);
    String word = isDenied ? "deny " : "fail ";
    tell(failure == null ? "pass " + number : word + number + " " + failure);
    return failure == null;
  }

  private String denied(String what) {
    isDenied = true;
    return "it " + what;
  }

  /** What the test did not put back; null for nothing. */
  private String left() {
    String thread = threads.left();
    String stream = StandardStreams.used(); // by its threads, too
    if (thread == null && HandOvers.areAny()) {
      return "work for a thread that no list has";
    }
    if (thread == null && stream != null) {
      return stream;
    }
    String changed = thread == null && ofThread == null ? globals.changed() : null;
    return thread != null ? thread : changed == null ? ofThread : "a change of " + changed;
  }

  private void putBack() {
    globals.restoreWithStreams();
    threads.mark();
  }

  /**
   * Runs a test that left something once more. False where it was a class initialiser that left it:
   * this one runs but once, and others may need what it left.
   */
  private boolean leavesAgain(int number, ClassLoader loader) throws IOException {
    Globals before = globals;
    Globals after = Globals.now();
    putBack();
    String failure = timed(number, loader);
    if (failure != null) { // it may need what an initialiser left
      globals = after;
      putBack();
      failure = timed(number, loader);
    }
    String left = left();
    String refused = refusals.since();
    boolean leaves = failure != null || left != null || refused != null;
    globals = leaves ? before : after;
    return leaves;
  }

  private String timed(int number, ClassLoader loader) throws IOException {
    ThreadState thread = new ThreadState();
    isDenied = false;
    HandOvers.reset();
    watchdog.starts();
    kernel.mark();
    String failure = call.failure(tests.get(number), loader);
    String refused = refusals.since();
    String unguarded =
        looksEverywhere ? GuardAgent.withoutGuards() : GuardAgent.withoutGuards(loader);
    lacksGuards |= unguarded != null;
    isBlamed |= unguarded != null;
    watchdog.ends();
    ofThread = thread.changed();
    thread.restore();
    if (refused != null) {
      failure = denied("is denied " + refused);
    } else if (unguarded != null) {
      failure = denied("is denied " + unguarded + UNGUARDED);
    }
    kernel.pause();
    String changed = user.changedInside();
    if (changed != null) {
      user.restore();
      failure = denied("changes " + changed);
    }
    kernel.resume();
    return failure;
  }

  private synchronized void tell(String line) {
    out.print(line + "\n");
    out.flush();
  }

  private void giveUp() {
    tell("slow " + current);
    ExitCode.TIME_USED_UP.haltLater();
    System.exit(ExitCode.TIME_USED_UP.number());
  }
}
