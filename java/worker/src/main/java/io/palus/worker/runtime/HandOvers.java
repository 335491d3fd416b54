package io.palus.worker.runtime;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Work that a sequence gives to threads that it need not have started: those of an executor that a
 * static field holds, and those that the JDK keeps for everybody.
 */
public final class HandOvers {
  private static boolean areAny;

  private HandOvers() {}

  /**
   * A task is given to an executor next. One of the JDK's may have a thread already, of an earlier
   * sequence, so that none is started now; the common pool has none here, and the subject's own
   * kinds come here again once they hand over.
   *
   * @param receiver of the call
   */
  public static void to(Object receiver) {
    Guard.startsThread();
    boolean isJdks = receiver != null && receiver.getClass().getClassLoader() == null;
    boolean isPool = receiver instanceof ThreadPoolExecutor || receiver instanceof ForkJoinPool;
    if (!isPool && !(isJdks && receiver instanceof ExecutorService)) {
      return;
    }
    boolean isDown = isJdks && ((ExecutorService) receiver).isShutdown();
    if (!isDown && receiver != ForkJoinPool.commonPool()) {
      areAny = true;
    }
  }

  /** A call that makes a thread of the JDK's do something later follows. */
  public static void later() {
    Guard.startsThread();
    areAny = true;
  }

  // What the worker calls.

  /** Starts a sequence: nothing noted. */
  public static void reset() {
    areAny = false;
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
   * Whether a task waits in the common pool, which has no thread here but has some elsewhere. Only
   * asked where a sequence may have given it one.
   *
   * @return true if so
   */
  public static boolean areQueued() {
    return ForkJoinPool.commonPool().hasQueuedSubmissions();
  }
}
