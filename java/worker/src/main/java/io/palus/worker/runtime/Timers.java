package io.palus.worker.runtime;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;

/**
 * The timers of a sequence. A task that is due long after the sequence has ended, as that of a time
 * limit is, never runs: the thread of such a timer does nothing, and a test may be made of it.
 */
public final class Timers {
  /** Milliseconds; no test takes that long. */
  private static final long LONG_AFTER = 10_000;

  private static final List<Timer> SCHEDULED = new ArrayList<>();

  private static int made;
  private static boolean mayFire;

  private Timers() {}

  /** A timer is made next. */
  public static void make() {
    Guard.startsThread();
    synchronized (SCHEDULED) {
      made++;
    }
  }

  /** A task is scheduled next that may run before the sequence has ended. */
  public static void fires() {
    synchronized (SCHEDULED) {
      mayFire = true;
    }
  }

  /** A call by reflection follows. */
  static void reflection(Method called) {
    if (Timer.class.isAssignableFrom(called.getDeclaringClass())) {
      fires();
    }
  }

  /**
   * Instead of {@code Timer.schedule(TimerTask, long)}.
   *
   * @param timer receiver of the call
   * @param task as the original
   * @param delay as the original
   */
  public static void schedule(Timer timer, TimerTask task, long delay) {
    note(timer, delay);
    timer.schedule(task, delay);
  }

  /**
   * Instead of {@code Timer.schedule(TimerTask, long, long)}.
   *
   * @param timer receiver of the call
   * @param task as the original
   * @param delay as the original
   * @param period as the original
   */
  public static void schedule(Timer timer, TimerTask task, long delay, long period) {
    note(timer, delay);
    timer.schedule(task, delay, period);
  }

  /**
   * Instead of {@code Timer.scheduleAtFixedRate(TimerTask, long, long)}.
   *
   * @param timer receiver of the call
   * @param task as the original
   * @param delay as the original
   * @param period as the original
   */
  public static void scheduleAtFixedRate(Timer timer, TimerTask task, long delay, long period) {
    note(timer, delay);
    timer.scheduleAtFixedRate(task, delay, period);
  }

  private static void note(Timer timer, long delay) {
    synchronized (SCHEDULED) {
      mayFire |= delay < LONG_AFTER;
      if (timer != null) {
        SCHEDULED.add(timer);
      }
    }
  }

  // What the worker calls.

  /** Starts a sequence: nothing noted. */
  public static void reset() {
    synchronized (SCHEDULED) {
      made = 0;
      mayFire = false;
    }
  }

  /**
   * Whether any was made since the reset.
   *
   * @return true if so
   */
  public static boolean areMade() {
    synchronized (SCHEDULED) {
      return made > 0;
    }
  }

  /**
   * How many of the threads started since the reset belong to timers and have run nothing.
   *
   * @return 0 where a task may have run
   */
  public static int idle() {
    synchronized (SCHEDULED) {
      return mayFire ? 0 : made;
    }
  }

  /** Ends all that have tasks. */
  public static void end() {
    Timer[] timers;
    synchronized (SCHEDULED) {
      timers = SCHEDULED.toArray(new Timer[0]);
      SCHEDULED.clear();
    }
    for (Timer timer : timers) {
      try {
        timer.cancel();
      } catch (Throwable e) { // the subject's own kind of timer; its thread is stopped
        continue;
      }
    }
  }
}
