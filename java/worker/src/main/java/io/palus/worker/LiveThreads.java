package io.palus.worker;

import io.palus.worker.runtime.Probes;
import io.palus.worker.runtime.Timers;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds and ends threads that a sequence started, whether or not a guard stood before the call. */
final class LiveThreads {
  private static final long PATIENCE_MILLIS = 200;

  /** What one that computes may take, which it does more slowly on a busy machine. */
  private static final long PATIENCE_AT_WORK_MILLIS = 1_000;

  private final Set<Thread> before = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Thread> known = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Those of the JVM and of what runs the subject. */
  private final Set<Thread> others = Collections.newSetFromMap(new IdentityHashMap<>());

  private Tasks tasks;

  /** Of the known ones those that wait for work of the subject's, with how often they waited. */
  private final Map<Thread, Long> idle = new IdentityHashMap<>();

  private ThreadMXBean counter;
  private long startedBefore;
  private long startedInAll;

  /** Remembers which threads live; called before a sequence may start its first one. */
  void remember() {
    before.clear();
    before.addAll(AllThreads.now());
    startedBefore = startedNow();
  }

  private long startedNow() {
    if (counter == null) {
      counter = ManagementFactory.getThreadMXBean();
    }
    return counter.getTotalStartedThreadCount();
  }

  /** From here on, threads count as a sequence's. */
  void mark() {
    startedInAll = startedNow();
    known.clear();
    known.addAll(AllThreads.now());
    idle.clear();
    known.stream().filter(this::mayGetWork).forEach(thread -> idle.put(thread, 0L));
    if (!idle.isEmpty()) {
      tasks.watch();
    }
    anyWoken(); // counts
  }

  /** Those that live now are none of the subject's. */
  void leaveOutPresent() {
    others.addAll(AllThreads.now());
    tasks = new Tasks();
  }

  /**
   * Whether one that was there at the mark, waiting for work, got some since: a class initialiser
   * started it, and a call that no guard stands before, such as one of a queue, woke it.
   */
  boolean anyWoken() {
    if (idle.isEmpty()) {
      return false;
    }
    tasks.settle();
    boolean isAny = false;
    for (Map.Entry<Thread, Long> one : idle.entrySet()) {
      long waits = waits(one.getKey());
      isAny |= waits != one.getValue() || !AllThreads.isIdle(one.getKey());
      one.setValue(waits);
    }
    return isAny;
  }

  /** Whether none of those that {@link #anyWoken} told of is at work any more. */
  boolean areAsleep() {
    return idle.keySet().stream().allMatch(AllThreads::isIdle);
  }

  /** {@link Timers} knows of those of timers. */
  private boolean mayGetWork(Thread thread) {
    boolean isTimers = thread.getClass().getName().equals("java.util.TimerThread");
    return !isTimers && !others.contains(thread) && !AllThreads.isJdks(thread);
  }

  /** How often it waited so far; -1 where it has ended. */
  private long waits(Thread thread) {
    ThreadInfo info = counter.getThreadInfo(thread.getId());
    return info == null ? -1 : info.getWaitedCount();
  }

  /**
   * Whether a thread was started since the mark by a call that no guard stood before; one that the
   * JDK keeps for itself is none.
   */
  boolean anyUnseen() {
    long now = startedNow();
    if (now == startedInAll) {
      return false;
    }
    List<Thread> started = AllThreads.now();
    started.removeAll(known);
    long jdks = started.stream().filter(AllThreads::isJdks).count();
    boolean isAny = now - startedInAll > jdks;
    before.clear();
    before.addAll(known);
    started.stream().filter(AllThreads::isJdks).forEach(before::add);
    if (!isAny) {
      mark();
    }
    return isAny;
  }

  /**
   * Whether one that was started since the mark goes on doing something, or will at some time, as
   * that of a timer with a task will; waits a while for those that come to an end.
   */
  boolean anyBusy() {
    if (startedNow() == startedInAll) {
      return false;
    }
    long start = System.nanoTime();
    while (sinceMark().stream().anyMatch(LiveThreads::isBusy)) {
      boolean isAtWork = sinceMark().stream().anyMatch(LiveThreads::isAtWork);
      long patience = isAtWork ? PATIENCE_AT_WORK_MILLIS : PATIENCE_MILLIS;
      if (System.nanoTime() - start > patience * 1_000_000) {
        return true;
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        continue; // a thread of the subject's may interrupt whom it finds
      }
    }
    return false;
  }

  /**
   * Ends those that were started since the mark.
   *
   * @return false if one of them may still run code of the subject
   */
  boolean endSinceMark() {
    before.clear();
    before.addAll(known);
    sinceMark().stream().filter(AllThreads::isJdks).forEach(before::add);
    return endAll();
  }

  private List<Thread> sinceMark() {
    List<Thread> started = AllThreads.now();
    started.removeIf(thread -> known.contains(thread) || AllThreads.isJdks(thread));
    return started;
  }

  /**
   * Whether any thread was started since, even if it has ended: a count, so the answer repeats.
   * Those of idle timers do not count.
   */
  boolean anyStarted() {
    return counter.getTotalStartedThreadCount() - startedBefore != Timers.idle();
  }

  /**
   * Ends the threads started since.
   *
   * @return false if one of them may still run code of the subject
   */
  boolean endAll() {
    Probes.dry();
    List<Thread> started = started();
    started.forEach(Thread::interrupt);
    settle(started);
    if (started.stream().anyMatch(LiveThreads::isBusy)) {
      started.forEach(LiveThreads::stop);
      settle(started);
      started = started(); // a pool may have replaced what was stopped
    }
    return started.stream().noneMatch(LiveThreads::isBusy);
  }

  private List<Thread> started() {
    List<Thread> started = AllThreads.now();
    started.removeAll(before);
    return started;
  }

  /** Waits, with patience, until what their interruption does to these threads is done. */
  private static void settle(List<Thread> threads) {
    long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    // One that waits may be woken by another's end: all are looked at twice.
    int calmRounds = 0;
    while (calmRounds < 2 && System.nanoTime() < deadline) {
      calmRounds = threads.stream().allMatch(LiveThreads::hasSettled) ? calmRounds + 1 : 0;
      if (threads.stream().noneMatch(Thread::isAlive)) {
        return;
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /**
   * Whether it has ended, or waits although it was interrupted: a mark that is still there wakes
   * it.
   */
  private static boolean hasSettled(Thread thread) {
    Thread.State state = thread.getState();
    boolean waits = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    return !thread.isAlive() || waits && !thread.isInterrupted();
  }

  /** One that waits without end for work, as those of a forgotten pool do, harms nobody. */
  private static boolean isBusy(Thread thread) {
    return thread.isAlive() && thread.getState() != Thread.State.WAITING;
  }

  private static boolean isAtWork(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.RUNNABLE || state == Thread.State.BLOCKED;
  }

  /**
   * Ends one that waits for a time, as a timer's does, which no interrupt ends. From Java 20 on
   * there is no such means, and a fresh worker has to take over.
   */
  @SuppressWarnings("deprecation")
  private static void stop(Thread thread) {
    try {
      if (isBusy(thread)) {
        thread.stop();
      }
    } catch (UnsupportedOperationException | NoSuchMethodError e) {
      return;
    }
  }
}
