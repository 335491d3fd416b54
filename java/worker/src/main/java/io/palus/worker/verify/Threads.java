package io.palus.worker.verify;

import io.palus.worker.AllThreads;
import io.palus.worker.Tasks;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * Threads that a test leaves running, or gives work that goes on: what they do later happens in
 * other tests, or after all.
 */
final class Threads {
  /** What a thread that is about to end may take on a busy machine. */
  private static final long PATIENCE_NANOS = 2_000_000_000;

  /** The same for one that waits for work, and will as a rule go on waiting. */
  private static final long PATIENCE_FOR_IDLE_NANOS = 50_000_000;

  private final Set<Thread> known = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Of the known ones those that do nothing, but for what was there before any test. */
  private final Set<Thread> idle = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Of the known ones those that an earlier test left at work. */
  private final Set<Thread> busy = Collections.newSetFromMap(new IdentityHashMap<>());

  private final Set<Thread> others = Collections.newSetFromMap(new IdentityHashMap<>());

  private final Tasks tasks;

  Threads() {
    others.addAll(AllThreads.now());
    tasks = new Tasks();
  }

  /** From here on, threads count as a test's, and so does what idle ones get to do. */
  void mark() {
    known.clear();
    known.addAll(AllThreads.now());
    idle.clear();
    busy.clear();
    for (Thread thread : known) {
      if (!others.contains(thread) && !isJdks(thread)) {
        (AllThreads.isIdle(thread) ? idle : busy).add(thread);
      }
    }
    if (!idle.isEmpty()) {
      tasks.watch();
    }
  }

  /**
   * Says what is left since the mark; waits a while for threads that end by themselves.
   *
   * @return null for nothing
   */
  String left() {
    if (!idle.isEmpty()) {
      tasks.settle(); // one that the test woke may not have got to it yet
    }
    long start = System.nanoTime();
    String left = now();
    while (left != null && System.nanoTime() - start < patience()) {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        continue; // a thread of the test's may interrupt whom it finds
      }
      left = now();
    }
    return left;
  }

  private long patience() {
    boolean isOneIdle = !started().isEmpty() && !areBusy();
    return isOneIdle ? PATIENCE_FOR_IDLE_NANOS : PATIENCE_NANOS;
  }

  /** Whether one of those that are left goes on doing something, or will at some time. */
  boolean areBusy() {
    return woken() != null || !started().stream().allMatch(AllThreads::isIdle);
  }

  /** Whether an earlier test left it, and it was at work before this one. */
  boolean isOfEarlier(Thread thread) {
    return busy.contains(thread);
  }

  /** One that was idle before the test and is not after it; null for none. */
  private Thread woken() {
    return idle.stream().filter(thread -> !AllThreads.isIdle(thread)).findFirst().orElse(null);
  }

  private String now() {
    List<Thread> left = started();
    if (!left.isEmpty()) {
      return "the thread " + left.get(0).getName();
    }
    Thread woken = woken();
    if (woken != null) {
      return "work for the thread " + woken.getName();
    }
    // Not to be waited for there: who waits helps, and would run the task itself.
    ForkJoinPool pool = ForkJoinPool.commonPool();
    boolean isCalm = pool.isQuiescent() && !pool.hasQueuedSubmissions();
    return isCalm ? null : "a task of the common pool";
  }

  private List<Thread> started() {
    List<Thread> started = AllThreads.now();
    started.removeIf(thread -> known.contains(thread) || isJdks(thread));
    return started;
  }

  /** The common pool's threads are there for everybody, and end when they have nothing to do. */
  private static boolean isJdks(Thread thread) {
    boolean isCommon =
        thread instanceof ForkJoinWorkerThread
            && ((ForkJoinWorkerThread) thread).getPool() == ForkJoinPool.commonPool();
    return isCommon || AllThreads.isJdks(thread);
  }
}
