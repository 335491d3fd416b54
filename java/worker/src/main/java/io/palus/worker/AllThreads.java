package io.palus.worker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinWorkerThread;

/** The threads of this JVM, and which of them the JDK keeps for itself. */
public final class AllThreads {
  /**
   * Beginnings of names that the JDK gives to threads which it starts in a group of its own, where
   * these are plain ones or of the kind that it makes for whoever asks.
   */
  private static final List<String> NAMES_OF_JDK =
      Arrays.asList(
          "process reaper",
          "Keep-Alive-",
          "Signal Dispatcher",
          "SIG",
          "Attach Listener",
          "Service Thread",
          "Monitor Deflation Thread",
          "Notification Thread",
          "C1 CompilerThread",
          "C2 CompilerThread",
          "Common-Cleaner",
          "Cleaner-",
          "Reference Handler",
          "Finalizer",
          "Java2D Disposer",
          "VirtualThread-",
          "Master-Poller",
          "Read-Poller",
          "Write-Poller",
          "AWT-",
          "RMI ");

  private static final Set<String> POOLS_WAIT =
      new HashSet<>(
          Arrays.asList(
              "java.util.concurrent.ThreadPoolExecutor.getTask",
              "java.util.concurrent.ForkJoinPool.awaitWork"));

  private static final long PATIENCE_NANOS = 50_000_000;

  /** Those of the JVM, and of what runs the subject. */
  private static final Set<Thread> AT_START = Collections.newSetFromMap(new IdentityHashMap<>());

  static {
    AT_START.addAll(now());
  }

  private AllThreads() {}

  /**
   * It stands beside the group of all threads that code starts without choosing a group, and is of
   * a kind that the JDK alone makes for itself, or has a name that the JDK gives and runs nothing
   * but the JDK's code.
   */
  public static boolean isJdks(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    if (group == null || Thread.currentThread().getThreadGroup().parentOf(group)) {
      return false;
    }
    Class<?> type = thread.getClass();
    // From JDK 25 on those of pools for channels are innocuous, too, and run what they are given.
    if (type == Thread.class || type.getName().endsWith(".InnocuousThread")) {
      return NAMES_OF_JDK.stream().anyMatch(thread.getName()::startsWith) && runsJdksCode(thread);
    }
    boolean isAnybodys =
        type.getName().startsWith("java.util.Timer") || thread instanceof ForkJoinWorkerThread;
    return type.getClassLoader() == null && !isAnybodys;
  }

  /** False also where it has not begun for a while, so that nobody can tell. */
  private static boolean runsJdksCode(Thread thread) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    StackTraceElement[] frames = thread.getStackTrace();
    while (frames.length == 0 && thread.isAlive() && !isOfJvm(thread)) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.yield();
      frames = thread.getStackTrace();
    }
    return Arrays.stream(frames).allMatch(frame -> isJdks(frame.getClassName()));
  }

  /**
   * Those of the JVM itself never show a frame; whoever starts a thread cannot start it as such.
   */
  private static boolean isOfJvm(Thread thread) {
    return AT_START.contains(thread);
  }

  private static boolean isJdks(String className) {
    try {
      Class.forName(className, false, ClassLoader.getSystemClassLoader().getParent());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /**
   * Whether it does nothing and will do nothing by itself: it waits without end, or for work as the
   * threads of a pool do for a while before they end.
   */
  public static boolean isIdle(Thread thread) {
    Thread.State state = thread.getState();
    if (state != Thread.State.TIMED_WAITING) {
      return state == Thread.State.WAITING || !thread.isAlive();
    }
    boolean isOfPool = false;
    for (StackTraceElement frame : thread.getStackTrace()) {
      String place = frame.getClassName() + "." + frame.getMethodName();
      if (place.contains("DelayedWorkQueue") || place.contains("DelayQueue")) {
        return false; // work that is due later
      }
      isOfPool |= POOLS_WAIT.contains(place);
    }
    return isOfPool;
  }

  /** Those that live now, of whatever group. */
  public static List<Thread> now() {
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
