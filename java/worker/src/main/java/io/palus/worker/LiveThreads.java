package io.palus.worker;

import io.palus.worker.runtime.Probes;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Finds and ends threads that a sequence started. */
final class LiveThreads {
  private static final long PATIENCE_MILLIS = 200;

  private final Set<Thread> before = Collections.newSetFromMap(new IdentityHashMap<>());
  private ThreadMXBean counter;
  private long startedBefore;

  /** Remembers which threads live; called before a sequence may start its first one. */
  void remember() {
    if (counter == null) {
      counter = ManagementFactory.getThreadMXBean();
    }
    before.clear();
    before.addAll(all());
    startedBefore = counter.getTotalStartedThreadCount();
  }

  /** Whether any thread was started since, even if it has ended: a count, so the answer repeats. */
  boolean anyStarted() {
    return counter.getTotalStartedThreadCount() != startedBefore;
  }

  /**
   * Ends the threads started since.
   *
   * @return false if one of them may still run code of the subject
   */
  boolean endAll() {
    Probes.dry();
    long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    boolean isQuiet = true;
    for (Thread thread : all()) {
      if (!before.contains(thread)) {
        isQuiet &= end(thread, deadline);
      }
    }
    return isQuiet;
  }

  private static boolean end(Thread thread, long deadline) {
    thread.interrupt();
    long millis = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
    try {
      thread.join(millis);
    } catch (InterruptedException e) {
      return false;
    }
    // One that waits without end for work, as the workers of a forgotten pool do, harms nobody.
    return !thread.isAlive() || thread.getState() == Thread.State.WAITING;
  }

  private static List<Thread> all() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Thread[] found = new Thread[root.activeCount() * 2 + 16];
    int count = root.enumerate(found);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(found[i]);
    }
    return threads;
  }
}
