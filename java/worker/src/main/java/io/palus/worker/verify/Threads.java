package io.palus.worker.verify;

import io.palus.worker.AllThreads;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/** Threads that a test leaves running: what they do later happens in other tests, or after all. */
final class Threads {
  /** What a thread that is about to end may take on a busy machine. */
  private static final long PATIENCE_NANOS = 2_000_000_000;

  private final Set<Thread> known = Collections.newSetFromMap(new IdentityHashMap<>());

  /** From here on, threads count as a test's. */
  void mark() {
    known.clear();
    known.addAll(AllThreads.now());
  }

  /**
   * Says what is left since the mark; waits a while for threads that end by themselves.
   *
   * @return null for nothing
   */
  String left() {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    String left = now();
    while (left != null && System.nanoTime() - deadline < 0) {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        continue; // a thread of the test's may interrupt whom it finds
      }
      left = now();
    }
    return left;
  }

  /** Whether one of those that are left goes on doing something, or will at some time. */
  boolean areBusy() {
    return started().stream()
        .anyMatch(thread -> thread.isAlive() && thread.getState() != Thread.State.WAITING);
  }

  private String now() {
    List<Thread> left = started();
    if (!left.isEmpty()) {
      return "the thread " + left.get(0).getName();
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
