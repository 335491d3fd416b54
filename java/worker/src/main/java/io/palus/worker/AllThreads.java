package io.palus.worker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The threads of this JVM, and which of them the JDK keeps for itself. */
public final class AllThreads {
  /**
   * What the JDK's own threads run, beside those that are there from the start: each waits for what
   * the JDK alone hands to it. None runs what anybody gives it, as those of pools and timers do;
   * while such a one waits, it shows the JDK's code only, whoever armed it.
   */
  private static final Set<String> RUN_BY_JDK =
      new HashSet<>(
          Arrays.asList(
              "java.lang.VirtualThread.unblockVirtualThreads",
              "jdk.internal.misc.Signal$1.run",
              "jdk.internal.ref.CleanerImpl.run",
              "sun.awt.AWTAutoShutdown.run",
              "sun.awt.X11.XToolkit.run",
              "sun.java2d.Disposer.run",
              "sun.misc.GC$Daemon.run",
              "sun.misc.Signal$1.run",
              "sun.nio.ch.Poller.pollLoop",
              "sun.nio.ch.Poller.pollerLoop",
              "sun.rmi.transport.GC$Daemon.run",
              "sun.rmi.transport.ObjectTable$Reaper.run"));

  /** Their methods call what a thread was given. */
  private static final Set<String> THREADS =
      new HashSet<>(
          Arrays.asList(
              "java.lang.Thread", "jdk.internal.misc.InnocuousThread", "sun.misc.InnocuousThread"));

  /** How the place of a frame begins from Java 9 on: with a module, maybe behind a loader. */
  private static final Pattern OF_JDKS_MODULE =
      Pattern.compile("(platform/)?(java|jdk)\\.[^/]+/(?!/)");

  private static final boolean HAS_MODULES = hasJdk("java.lang.Module");

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
   * It stands beside the group of all threads that code starts without choosing a group, and was
   * there at the start, or runs what the JDK alone has threads for. Names and groups are anybody's;
   * what a thread was given to run stands at the end of its stack.
   */
  public static boolean isJdks(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    if (group == null || Thread.currentThread().getThreadGroup().parentOf(group)) {
      return false;
    }
    // Those of the JVM never show a frame, and whoever starts a thread cannot start it as such.
    return AT_START.contains(thread)
        || thread.getClass().getClassLoader() == null && runsJdksCode(thread);
  }

  /** False also where it has not begun for a while, so that nobody can tell. */
  private static boolean runsJdksCode(Thread thread) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    StackTraceElement[] frames = thread.getStackTrace();
    while (task(frames) == null && thread.isAlive()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.yield();
      frames = thread.getStackTrace();
    }
    return RUN_BY_JDK.contains(task(frames)) && Arrays.stream(frames).allMatch(AllThreads::isJdks);
  }

  /** The method that a thread was given to run; null where it is not in that. */
  private static String task(StackTraceElement[] frames) {
    for (int i = frames.length - 1; i >= 0; i--) {
      if (!THREADS.contains(frames[i].getClassName())) {
        return place(frames[i]);
      }
    }
    return null;
  }

  private static String place(StackTraceElement frame) {
    return frame.getClassName() + "." + frame.getMethodName();
  }

  /** A loader of somebody's own may have a class of the JDK's name, but not in the JDK's module. */
  private static boolean isJdks(StackTraceElement frame) {
    boolean isOfModule = OF_JDKS_MODULE.matcher(frame.toString()).lookingAt();
    return (isOfModule || !HAS_MODULES) && hasJdk(frame.getClassName());
  }

  private static boolean hasJdk(String className) {
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
    for (StackTraceElement frame : thread.getStackTrace()) {
      String place = place(frame);
      if (POOLS_WAIT.contains(place)) {
        return true;
      }
      boolean isDueLater = place.contains("DelayedWorkQueue") || place.contains("DelayQueue");
      if (isDueLater || !isJdks(frame)) {
        return false; // a queue of somebody's own may sleep, and then give work
      }
    }
    return false;
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
