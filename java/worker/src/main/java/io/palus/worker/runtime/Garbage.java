package io.palus.worker.runtime;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Collects garbage where the code of a test asks for it, so that what a test holds weakly only is
 * gone before its next call, and not once in a thousand runs.
 */
public final class Garbage {
  /** A collection takes a hundredth of it; some JVMs are told to make none where code asks. */
  private static final long PATIENCE_MILLIS = 2000;

  private static final int PIECE = 16 << 10;

  /** Many times the young generation, where that has its usual size of one MiB. */
  private static final int ENOUGH_PIECES = 1024;

  private static volatile boolean isCollected;
  private static volatile byte[] last;

  private Garbage() {}

  /** From now on {@link #collect} collects. */
  public static void begin() {
    isCollected = true;
  }

  /** From now on {@link #collect} does nothing. */
  public static void end() {
    isCollected = false;
  }

  /** Returns when weakly held garbage is gone and the queues know; does nothing where not begun. */
  public static void collect() {
    if (!isCollected) {
      return;
    }
    boolean isInterrupted = Thread.interrupted();
    try {
      // One thread of the JVM tells all queues: with a second collection it is done with the first.
      isCollected = isCollected(false) && isCollected(true);
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Collects once. What was there before is old after a full collection: only another full one
   * tells whether it still is. One of the young generation takes a tenth of the time.
   */
  private static boolean isCollected(boolean isYoung) throws InterruptedException {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    Reference<Object> held = new WeakReference<>(new Object(), queue);
    for (int i = 0; isYoung && i < ENOUGH_PIECES && held.get() != null; i++) {
      last = new byte[PIECE];
    }
    if (held.get() != null) {
      System.gc();
    }
    return queue.remove(PATIENCE_MILLIS) == held;
  }
}
