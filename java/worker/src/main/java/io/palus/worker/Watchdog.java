package io.palus.worker;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Ends the JVM when one sequence takes too long: the backstop for what fuel cannot see. The engine
 * reads from {@link Progress} which one it was.
 */
final class Watchdog {
  private static final long IDLE = 0;

  private final AtomicLong running = new AtomicLong(IDLE);
  private long serial;

  /** Starts watching. */
  void start(int limitMillis) {
    Thread thread = new Thread(() -> watch(limitMillis * 1_000_000L), "palus-watchdog");
    thread.setDaemon(true);
    thread.setPriority(Thread.MAX_PRIORITY);
    thread.start();
  }

  /** Something that must end in time starts. */
  void starts() {
    running.lazySet(++serial);
  }

  /** It ended. */
  void ends() {
    running.lazySet(IDLE);
  }

  private void watch(long limitNanos) {
    long pause = Math.max(5, Math.min(100, limitNanos / 10_000_000));
    long seen = IDLE;
    long since = System.nanoTime();
    while (true) {
      long now = running.get();
      if (now != seen || now == IDLE) {
        seen = now;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > limitNanos) {
        ExitCode.TIME_USED_UP.halt();
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        continue; // the subject may interrupt whom it finds
      }
    }
  }
}
