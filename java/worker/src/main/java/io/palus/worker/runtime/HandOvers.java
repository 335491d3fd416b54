package io.palus.worker.runtime;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Work that a sequence or a test gives to threads that it need not have started, or that no list of
 * threads has: those of an executor that a static field holds, those that the JDK keeps for
 * everybody, and virtual ones.
 */
public final class HandOvers {
  private static volatile boolean areAny;
  private static volatile boolean areVirtual;
  private static volatile boolean areSeen;

  private HandOvers() {}

  /**
   * A task is given to an executor next. One of the JDK's may have a thread already, of an earlier
   * sequence, so that none is started now; the common pool has none here, and the subject's own
   * kinds come here again once they hand over.
   *
   * @param executor the one that is to do it
   */
  public static void to(Object executor) {
    Guard.startsThread();
    if (executor == null || executor == ForkJoinPool.commonPool()) {
      return;
    }
    areVirtual |= hasVirtual(executor);
    if (areSeen) {
      areAny |= areVirtual;
      return;
    }
    boolean isJdks = executor.getClass().getClassLoader() == null;
    boolean isPool = executor instanceof ThreadPoolExecutor || executor instanceof ForkJoinPool;
    boolean isDown =
        isJdks && executor instanceof ExecutorService && ((ExecutorService) executor).isShutdown();
    areAny |= (isJdks || isPool) && !isDown;
  }

  /**
   * A thread is started next.
   *
   * @param starter the thread, or what makes one
   */
  public static void starts(Object starter) {
    Guard.startsThread();
    areVirtual |= isVirtual(starter);
    areAny |= areVirtual;
  }

  /** A call that makes a thread of the JDK's do something later, or a virtual one, follows. */
  public static void later() {
    Guard.startsThread();
    areAny = true;
    areVirtual = true;
  }

  /** Whether an executor of the JDK's works with threads that no list has. */
  private static boolean hasVirtual(Object executor) {
    if (executor instanceof ThreadPoolExecutor) {
      return isVirtual(((ThreadPoolExecutor) executor).getThreadFactory());
    }
    return executor.getClass().getName().equals("java.util.concurrent.ThreadPerTaskExecutor");
  }

  /** By the name of its class: Java 8 has none. */
  private static boolean isVirtual(Object it) {
    return it != null
        && it.getClass().getClassLoader() == null
        && it.getClass().getName().contains("Virtual");
  }

  // What the worker calls.

  /**
   * From here on only work for virtual threads counts, and what the JDK does later: whoever calls
   * this looks at all other threads.
   */
  public static void seeThreads() {
    areSeen = true;
  }

  /** Starts a sequence or a test: nothing noted. */
  public static void reset() {
    areAny = false;
    areVirtual = false;
  }

  /**
   * Whether anything was handed over since the reset.
   *
   * @return true if so
   */
  public static boolean areAny() {
    return areAny;
  }

  /**
   * Whether anything was given to a thread that no list has.
   *
   * @return true if so
   */
  public static boolean areVirtual() {
    return areVirtual;
  }

  /**
   * Whether a task waits in the common pool, which has no thread here but has some elsewhere. Only
   * asked where a sequence may have given it one.
   *
   * @return true if so
   */
  public static boolean areQueued() {
    return ForkJoinPool.commonPool().hasQueuedSubmissions();
  }
}
