package io.palus.worker;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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

  /** Of a line: what stands before the end of a name, which has 15 bytes. */
  private static final int LONGEST_NAME = 40;

  private final Set<Integer> others;

  /** Their lines stay open: a look costs one call of the system. */
  private final List<RandomAccessFile> watched = new ArrayList<>();

  private final byte[] line = new byte[64];

  /** All that come to be from here on may be watched. */
  public Tasks() {
    others = present();
  }

  /**
   * Those that there are.
   *
   * @return their numbers
   */
  static Set<Integer> present() {
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

  /** From here on these are looked at: all that sleep now, but for some and for the JVM's own. */
  public void watch() {
    for (RandomAccessFile file : watched) {
      close(file);
    }
    watched.clear();
    Set<Integer> tasks = present();
    tasks.removeAll(others);
    for (Integer task : tasks) {
      RandomAccessFile file = isJvms(task) ? null : open(task);
      if (file != null && isAwake(file)) {
        close(file);
      } else if (file != null) {
        watched.add(file);
      }
    }
  }

  /** Waits a while for those that were woken to go back to sleep, or to be seen at work. */
  public void settle() {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (watched.stream().anyMatch(this::isAwake) && System.nanoTime() - deadline < 0) {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        continue; // a thread of the subject's may interrupt whom it finds
      }
    }
  }

  /** {@code 17 (name) S ..}: it sleeps; R is awake, whether it has a processor or waits for one. */
  private boolean isAwake(RandomAccessFile stat) {
    try {
      stat.seek(0);
      int length = stat.read(line);
      for (int at = Math.min(length - 2, LONGEST_NAME); at > 0; at--) {
        if (line[at - 1] == ')' && line[at] == ' ') {
          return line[at + 1] == 'R' || line[at + 1] == 'D';
        }
      }
      return false;
    } catch (IOException e) { // it has ended
      return false;
    }
  }

  private static RandomAccessFile open(Integer task) {
    try {
      return new RandomAccessFile(new File(ALL.toFile(), task + "/stat"), "r");
    } catch (IOException e) {
      return null;
    }
  }

  private static void close(RandomAccessFile file) {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
