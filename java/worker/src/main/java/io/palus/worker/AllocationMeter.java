package io.palus.worker;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Counts what a sequence allocates, so that one that takes much memory is given up at the same
 * place on every machine, and is not built upon: by time alone that would be a matter of luck. What
 * loading classes takes is left out, since only the first sequences of a worker pay for it.
 */
final class AllocationMeter {
  /** Part of the heap that one sequence may allocate; a test that needs more is no unit test. */
  private static final int PART_OF_HEAP = 16;

  /** Null on a JVM that does not count. */
  private final com.sun.management.ThreadMXBean threads;

  private final Thread thread = Thread.currentThread();
  private final long limit = Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
  private long start;

  /** Counts for the calling thread. */
  AllocationMeter() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    boolean counts =
        bean instanceof com.sun.management.ThreadMXBean
            && ((com.sun.management.ThreadMXBean) bean).isThreadAllocatedMemorySupported();
    threads = counts ? (com.sun.management.ThreadMXBean) bean : null;
  }

  /** A sequence starts. */
  void start() {
    start = allocated();
  }

  /** Bytes allocated so far by the thread that is watched. */
  long allocated() {
    return threads == null ? 0 : threads.getThreadAllocatedBytes(thread.getId());
  }

  /** What the calling thread allocated since then does not count. */
  void leaveOut(long allocatedThen) {
    if (Thread.currentThread() == thread) {
      start += allocated() - allocatedThen;
    }
  }

  /** Fails with an error that says so if the sequence allocated more than it may. */
  void check() {
    if (allocated() - start > limit) {
      throw new OutOfMemoryError("more than " + limit + " bytes allocated");
    }
  }
}
