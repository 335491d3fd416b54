package io.palus.worker;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Acts when one thing takes too long, such as a sequence in a loop that fuel cannot see. Acts from
 * a thread of its own, once.
 *
 * <p>What counts is the time that the thread computes, so that the same thing is too long on a busy
 * machine and on an idle one; for a thread that waits it is the time it has waited. Whatever it
 * does, {@value #MOST} times the limit by the wall clock is too long.
 */
public final class Watchdog {
  /** How often the limit may pass by the wall clock. */
  private static final int MOST = 5;

  /** Less than this between two looks is no computing. */
  private static final long WAITING_NANOS = 100_000;

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
   * Starts watching the calling thread.
   *
   * @param limitMillis how long is too long
   */
  public void start(int limitMillis) {
    long watched = Thread.currentThread().getId();
    Thread thread = new Thread(() -> watch(watched, limitMillis * 1_000_000L), "palus-watchdog");
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

  private void watch(long watched, long limitNanos) {
    long pause = Math.max(5, Math.min(100, limitNanos / 10_000_000));
    long seen = IDLE;
    long since = System.nanoTime();
    Effort effort = null;
    while (true) {
      long serialNow = running.get();
      long now = System.nanoTime();
      if (serialNow != seen || serialNow == IDLE) {
        seen = serialNow;
        since = now;
        effort = null;
      } else if (effort != null) {
        if (effort.isTooMuch(now, limitNanos) || now - since > limitNanos * MOST) {
          action.run();
          return;
        }
      } else if (now - since > limitNanos / 10) {
        // Hardly anything lasts so long: most JVMs never need to look at their threads.
        effort = new Effort(watched, now);
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        continue; // the subject may interrupt whom it finds
      }
    }
  }

  /** What a thread did since it was first looked at. */
  private static final class Effort {
    private final long watched;
    private final long first;
    private long last;
    private long active;

    Effort(long watched, long now) {
      this.watched = watched;
      first = computed();
      last = first;
      active = now;
    }

    boolean isTooMuch(long now, long limitNanos) {
      long cpu = computed();
      if (cpu - last > WAITING_NANOS) {
        active = now;
      }
      last = cpu;
      return cpu - first > limitNanos || now - active > limitNanos;
    }

    /**
     * Nanoseconds; always the same where this JVM, or what the subject did to it, will not tell.
     */
    private long computed() {
      try {
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(watched);
      } catch (RuntimeException e) { // all time counts as waiting then
        return 0;
      }
    }
  }
}
