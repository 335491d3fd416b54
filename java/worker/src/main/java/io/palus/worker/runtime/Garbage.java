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

  /** One thread of the JVM tells all queues: with the second one it is done with the first. */
  private static final int COLLECTIONS = 2;

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
    boolean isInterrupted = Thread.interrupted();
    try {
      for (int i = 0; i < COLLECTIONS && isCollected; i++) {
        collectOnce();
      }
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void collectOnce() throws InterruptedException {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    Reference<Object> held = new WeakReference<>(new Object(), queue);
    System.gc();
    if (queue.remove(PATIENCE_MILLIS) != held) {
      end();
    }
  }
}
