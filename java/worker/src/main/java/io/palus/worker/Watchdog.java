package io.palus.worker;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Acts when one thing takes too long, such as a sequence in a loop that fuel cannot see. Acts from
 * a thread of its own, once.
 */
public final class Watchdog {
  private static final long IDLE = 0;

  private final Runnable action;
  private final AtomicLong running = new AtomicLong(IDLE);
  private long serial;

  /**
   * Does not watch yet.
   *
   * @param action what to do about it, by nature the end of the JVM
   */
  public Watchdog(Runnable action) {
    this.action = action;
  }

  /**
   * Starts watching.
   *
   * @param limitMillis how long is too long
   */
  public void start(int limitMillis) {
    Thread thread = new Thread(() -> watch(limitMillis * 1_000_000L), "palus-watchdog");
    thread.setDaemon(true);
    thread.setPriority(Thread.MAX_PRIORITY);
    thread.start();
  }

  /** Something that must end in time starts. */
  public void starts() {
    running.lazySet(++serial);
  }

  /** It ended. */
  public void ends() {
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
        action.run();
        return;
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        continue; // the subject may interrupt whom it finds
      }
    }
  }
}
