package io.palus.worker;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Counts what a sequence allocates, so that one that takes much memory is given up at the same
 * place on every machine, and is not built upon: by time alone that would be a matter of luck.
 */
final class AllocationMeter {
  /** Bytes that one sequence may allocate; a test that needs more is no unit test. */
  static final long LIMIT = 32L << 20;

  /** Null on a JVM that does not count. */
  private final com.sun.management.ThreadMXBean threads;

  private final long thread = Thread.currentThread().getId();
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

  /** Whether it allocated more than it may. */
  boolean isOverLimit() {
    return allocated() - start > LIMIT;
  }

  private long allocated() {
    return threads == null ? 0 : threads.getThreadAllocatedBytes(thread);
  }
}
