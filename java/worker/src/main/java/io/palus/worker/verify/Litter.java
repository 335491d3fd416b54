package io.palus.worker.verify;

/**
 * Keeps the garbage collector at work, so that a test whose objects hold others weakly meets it at
 * every point and not once in a thousand runs. The JVM should have a small young generation.
 */
final class Litter implements AutoCloseable {
  private static final int PIECE = 32 << 10;
  private static final int ENOUGH_PIECES = 1024;

  /** All pieces may be dropped while the test's thread waits for a processor. */
  private static final int ENOUGH_RUNS = 200;

  private static final long PATIENCE_NANOS = 1_000_000_000;

  private final long end = System.nanoTime() + PATIENCE_NANOS;
  private final Thread thread = new Thread(this::drop, "palus-litter");
  private volatile boolean isOver;
  private volatile int pieces;
  private volatile byte[] last;

  Litter() {
    thread.setDaemon(true);
    thread.start();
  }

  /** True until the test, after so many runs, has met the collector often enough. */
  boolean isWanted(int runs) {
    return (pieces < ENOUGH_PIECES || runs < ENOUGH_RUNS) && System.nanoTime() - end < 0;
  }

  @Override
  public void close() {
    isOver = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void drop() {
    int dropped = 0;
    while (!isOver) {
      last = new byte[PIECE];
      pieces = ++dropped;
    }
  }
}
