package io.palus.worker.runtime;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;

/**
 * The timers of a sequence. A task that is due long after the sequence has ended, as that of a time
 * limit is, never runs: the thread of such a timer does nothing. A test may be made of it where the
 * sequence itself takes the task back; otherwise the task would run in the project's own JVM, long
 * after the test. Timers of class initialisers stay, for the sequences after this one find them
 * too.
 */
public final class Timers {
  /** Milliseconds; no test takes that long. */
  private static final long LONG_AFTER = 10_000;

  private static final List<Timer> SCHEDULED = new ArrayList<>();
  private static final List<TimerTask> TASKS = new ArrayList<>();
  private static final List<Timer> KEPT = new ArrayList<>();
  private static final Set<Timer> CANCELLED = Collections.newSetFromMap(new IdentityHashMap<>());

  private static int made;
  private static boolean mayFire;

  /** Whether any of these holds anything: hardly a sequence has to do with timers. */
  private static volatile boolean areKnown;

  private Timers() {}

  /** A timer is made next. */
  public static void make() {
    Guard.startsThread();
    synchronized (SCHEDULED) {
      areKnown = true;
      made++;
    }
  }

  /** A task is scheduled next that may run before the sequence has ended. */
  public static void fires() {
    synchronized (SCHEDULED) {
      areKnown = true;
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
    note(timer, task, delay);
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
    note(timer, task, delay);
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
    note(timer, task, delay);
    timer.scheduleAtFixedRate(task, delay, period);
  }

  /**
   * Instead of {@code Timer.cancel()}.
   *
   * @param timer receiver of the call
   */
  public static void cancel(Timer timer) {
    timer.cancel();
    synchronized (SCHEDULED) {
      areKnown = true;
      CANCELLED.add(timer);
    }
  }

  private static void note(Timer timer, TimerTask task, long delay) {
    if (Probes.isInitializing()) {
      Guard.startsThread();
    }
    synchronized (SCHEDULED) {
      areKnown = true;
      mayFire |= delay < LONG_AFTER;
      if (timer != null && task != null) {
        if (made == 0 && !isKept(timer)) {
          KEPT.add(timer); // it was there before the sequence
        }
        SCHEDULED.add(timer);
        TASKS.add(task);
      }
    }
  }

  // What the worker calls.

  /** Starts a sequence: nothing noted. */
  public static void reset() {
    if (areKnown) {
      synchronized (SCHEDULED) {
        made = 0;
        mayFire = false;
        CANCELLED.clear();
        areKnown = !SCHEDULED.isEmpty();
      }
    }
  }

  /** Class initialisers ran, not a sequence: their timers stay as they are. */
  public static void keep() {
    synchronized (SCHEDULED) {
      KEPT.addAll(SCHEDULED);
      SCHEDULED.clear();
      TASKS.clear();
    }
  }

  /** Fresh classes are loaded: nothing of the old ones is held. */
  public static void renew() {
    synchronized (SCHEDULED) {
      KEPT.clear();
    }
  }

  /**
   * Whether any was made since the reset.
   *
   * @return true if so
   */
  public static boolean areMade() {
    if (!areKnown) {
      return false;
    }
    synchronized (SCHEDULED) {
      return made > 0;
    }
  }

  /**
   * Whether any was made or given a task since the reset.
   *
   * @return true if so
   */
  public static boolean areUsed() {
    if (!areKnown) {
      return false;
    }
    synchronized (SCHEDULED) {
      return made > 0 || mayFire || !TASKS.isEmpty();
    }
  }

  /**
   * Whether a task may have run.
   *
   * @return true if so
   */
  public static boolean mayFire() {
    if (!areKnown) {
      return false;
    }
    synchronized (SCHEDULED) {
      return mayFire;
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

  /**
   * What would go on in the project's own JVM after the sequence.
   *
   * @return null if nothing is left
   */
  public static String left() {
    if (!areKnown) {
      return null;
    }
    List<TimerTask> tasks = new ArrayList<>();
    boolean isOpen;
    synchronized (SCHEDULED) {
      for (int i = 0; i < TASKS.size(); i++) {
        if (!CANCELLED.contains(SCHEDULED.get(i))) {
          tasks.add(TASKS.get(i));
        }
      }
      isOpen = made > CANCELLED.stream().filter(timer -> !isKept(timer)).count();
    }
    if (tasks.stream().anyMatch(Timers::isToRun)) {
      return "the task of a timer";
    }
    return isOpen ? "the thread of a timer" : null;
  }

  private static boolean isKept(Timer timer) {
    return KEPT.stream().anyMatch(kept -> kept == timer);
  }

  /** Takes it back, too. The subject's own kinds may answer anything: they are taken to be. */
  private static boolean isToRun(TimerTask task) {
    try {
      return task.getClass().getMethod("cancel").getDeclaringClass() != TimerTask.class
          || task.cancel();
    } catch (NoSuchMethodException e) {
      return true;
    }
  }

  /** Takes all tasks away, and ends the timers that the sequence made. */
  public static void end() {
    Timer[] timers;
    TimerTask[] tasks;
    synchronized (SCHEDULED) {
      timers = made > 0 ? SCHEDULED.toArray(new Timer[0]) : new Timer[0];
      tasks = TASKS.toArray(new TimerTask[0]);
      SCHEDULED.clear();
      TASKS.clear();
    }
    for (TimerTask task : tasks) {
      quietly(task::cancel);
    }
    for (Timer timer : timers) {
      if (!isKept(timer)) {
        quietly(timer::cancel);
      }
    }
  }

  private static void quietly(Runnable ending) {
    try {
      ending.run();
    } catch (Throwable e) { // the subject's own kind; its thread is stopped
      return;
    }
  }
}
