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

  /** The JVM's own thread tells the queues of one collection one after the other. */
  private static final long OTHER_QUEUES_MILLIS = 2;

  private static volatile boolean isCollected;

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
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    Reference<Object> held = new WeakReference<>(new Object(), queue);
    boolean isInterrupted = Thread.interrupted();
    System.gc();
    try {
      isCollected = queue.remove(PATIENCE_MILLIS) == held;
      Thread.sleep(OTHER_QUEUES_MILLIS);
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
