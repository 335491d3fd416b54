package io.palus.worker.runtime;

import java.io.File;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which files a sequence asked for in the folders that stand for the user's, and did not find: on
 * the machine of the user they may exist.
 */
public final class MissingFiles {
  /** More are not remembered; a sequence that asks for so many has seen enough. */
  private static final int MOST = 32;

  private static String[] roots = {};
  private static final Set<String> ASKED = new LinkedHashSet<>();

  private MissingFiles() {}

  /**
   * A look at a file follows.
   *
   * @param file a String, File or Path; anything else, and null, is left to the method called
   */
  public static void asks(Object file) {
    if (roots.length == 0) {
      return;
    }
    File asked;
    if (file instanceof File) {
      asked = (File) file;
    } else if (file instanceof String) {
      asked = new File((String) file);
    } else if (file instanceof Path && ((Path) file).getFileSystem() == FileSystems.getDefault()) {
      asked = ((Path) file).toFile();
    } else {
      return;
    }
    // Not by the subclass's own methods, which are the subject's code.
    String path = new File(asked.getPath()).getAbsolutePath();
    for (String root : roots) {
      if (path.startsWith(root) && path.indexOf('\0') < 0 && !new File(path).exists()) {
        note(path);
      }
    }
  }

  private static synchronized void note(String path) {
    if (ASKED.size() < MOST) {
      ASKED.add(path);
    }
  }

  /** Starts a sequence. */
  static void reset() {
    if (!ASKED.isEmpty()) {
      ASKED.clear();
    }
  }

  // What the worker calls.

  /**
   * Says which folders stand for the user's.
   *
   * @param folders absolute paths
   */
  public static void set(String... folders) {
    roots = folders.clone();
    for (int i = 0; i < roots.length; i++) {
      roots[i] += File.separator;
    }
  }

  /**
   * What was asked for since the sequence began.
   *
   * @return absolute paths, in order of time
   */
  public static synchronized Collection<String> asked() {
    return new LinkedHashSet<>(ASKED);
  }
}
