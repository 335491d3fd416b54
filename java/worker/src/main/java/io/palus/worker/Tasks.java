package io.palus.worker;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Threads as the kernel knows them: by numbers, and whether it has them awake. One that was woken a
 * moment ago still says to Java that it waits. Where there is no {@code /proc} there are none.
 */
public final class Tasks {
  private static final Path ALL = Paths.get("/proc/self/task");

  /** Names of those that the JVM starts when there is much to compile or to collect. */
  private static final Pattern JVMS = Pattern.compile("C[12] Comp|GC Thre|G1 ");

  /** What one that was woken may take to go back to sleep, where it has little to do. */
  private static final long PATIENCE_NANOS = 100_000_000;

  private Tasks() {}

  /**
   * Those that there are.
   *
   * @return their numbers
   */
  public static Set<Integer> present() {
    String[] present = ALL.toFile().list();
    Set<Integer> tasks = new HashSet<>();
    for (String task : present == null ? new String[0] : present) {
      tasks.add(Integer.valueOf(task));
    }
    return tasks;
  }

  /** The number of the calling thread. */
  static Integer ofThisThread() throws IOException {
    return Integer.valueOf(
        Files.readSymbolicLink(Paths.get("/proc/thread-self")).getFileName().toString());
  }

  /** Whether it is one that the JVM starts when there is much to compile or to collect. */
  static boolean isJvms(Integer task) {
    return JVMS.matcher(text(task, "comm")).lookingAt();
  }

  /**
   * Waits a while for those that were woken to go back to sleep, or to be seen at work.
   *
   * @param others which do not count, the calling thread among them
   */
  public static void settle(Set<Integer> others) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (isAnyAwake(others) && System.nanoTime() - deadline < 0) {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        continue; // a thread of the subject's may interrupt whom it finds
      }
    }
  }

  private static boolean isAnyAwake(Set<Integer> others) {
    Set<Integer> tasks = present();
    tasks.removeAll(others);
    return tasks.stream().anyMatch(task -> isAwake(task) && !isJvms(task));
  }

  /** {@code 17 (name) S ..}: it sleeps; R is awake, whether it has a processor or waits for one. */
  private static boolean isAwake(Integer task) {
    String stat = text(task, "stat");
    int state = stat.lastIndexOf(')') + 2;
    return state > 1 && state < stat.length() && "RD".indexOf(stat.charAt(state)) >= 0;
  }

  /** Empty where it has ended. */
  private static String text(Integer task, String of) {
    File file = new File(ALL.toFile(), task + "/" + of);
    try {
      return new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
