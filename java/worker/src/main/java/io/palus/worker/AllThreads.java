package io.palus.worker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The threads of this JVM, and which of them the JDK keeps for itself. */
public final class AllThreads {
  /** Beginnings of names of plain threads that the JDK starts in a group of its own. */
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
          "AWT-",
          "RMI ");

  private AllThreads() {}

  /**
   * It stands beside the group of all threads that code starts without choosing a group, and is of
   * a kind of the JDK's own, or has a name that only the JDK gives.
   */
  public static boolean isJdks(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    if (group == null || Thread.currentThread().getThreadGroup().parentOf(group)) {
      return false;
    }
    Class<?> type = thread.getClass();
    return type == Thread.class
        ? NAMES_OF_JDK.stream().anyMatch(thread.getName()::startsWith)
        : type.getClassLoader() == null;
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
