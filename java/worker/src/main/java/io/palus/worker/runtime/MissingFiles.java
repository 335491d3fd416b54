package io.palus.worker.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which files a sequence asked for that the user may have. Those missing in the folders that stand
 * for the user's can be made, to see what happens then. Of any others nobody can tell what a look
 * at them leads to where the written test runs.
 */
public final class MissingFiles {
  /** More cannot be tried. */
  private static final int MOST = 32;

  private static final List<String> DEVICES =
      Arrays.asList("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom");

  private static String[] roots = {};

  /** Beginnings of paths that are the same, or mean nothing, on each machine. */
  private static String[] known = {};

  private static final Set<String> ASKED = new LinkedHashSet<>();

  /** What was looked at elsewhere; null for nothing. */
  private static String outside;

  /** Whether class initialisers may ask for nothing that is missing. */
  private static boolean areInitializersBarred;

  private static boolean isByInitializer;

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
    if (path.indexOf('\0') < 0) {
      asks(path.contains("..") ? new File(path).toPath().normalize().toString() : path);
    }
  }

  private static void asks(String path) {
    if (startsWithAny(roots, path)) {
      if (!new File(path).exists() && !OwnFiles.hold(path)) {
        note(path);
      }
    } else if (!startsWithAny(known, path) && !isAbove(path) && !DEVICES.contains(path)) {
      noteOutside("a look at " + path);
    }
  }

  private static boolean startsWithAny(String[] folders, String path) {
    for (String folder : folders) {
      if (path.startsWith(folder)) {
        return true;
      }
    }
    return false;
  }

  /** Whether one of the known folders is this one, or lies in it: there is no other such there. */
  private static boolean isAbove(String path) {
    String folder = path.endsWith(File.separator) ? path : path + File.separator;
    for (String place : roots) {
      if (place.startsWith(folder)) {
        return true;
      }
    }
    for (String place : known) {
      if (place.startsWith(folder)) {
        return true;
      }
    }
    return false;
  }

  private static synchronized void note(String path) {
    if (Probes.isInitializing()) {
      asksInInitializer(path);
    }
    if (ASKED.size() < MOST) {
      ASKED.add(path);
    } else if (!ASKED.contains(path)) {
      noteOutside("looks at more missing files than can be tried");
    }
  }

  /** A class initialiser asks for something that is missing here and may be there elsewhere. */
  static synchronized void asksInInitializer(String what) {
    if (areInitializersBarred) {
      isByInitializer = true;
      noteOutside("a look of a class initialiser for " + what);
    }
  }

  private static synchronized void noteOutside(String look) {
    if (outside == null) {
      outside = look;
    }
  }

  /** Starts a sequence. */
  static void reset() {
    outside = null;
    isByInitializer = false;
    if (!ASKED.isEmpty()) {
      ASKED.clear();
    }
  }

  // What the worker calls.

  /**
   * Says which folders stand for the user's, and what else may be looked at.
   *
   * @param classPath entries of the class path
   * @param folders absolute paths; looks count only where there are some
   * @throws IOException if an entry cannot be resolved
   */
  public static void set(Collection<String> classPath, String... folders) throws IOException {
    roots = folders.clone();
    for (int i = 0; i < roots.length; i++) {
      roots[i] += File.separator;
    }
    Set<String> all = new LinkedHashSet<>();
    for (String entry : classPath) {
      add(entry, all);
    }
    File home = new File(System.getProperty("java.home"));
    add(home.getPath(), all);
    if (home.getName().equals("jre")) {
      add(home.getParent(), all); // a JDK 8
    }
    known = all.toArray(new String[0]);
  }

  /** A folder is entered with the separator; of a jar the end of its name does no harm. */
  private static void add(String entry, Set<String> all) throws IOException {
    File file = new File(entry);
    String end = file.isDirectory() ? File.separator : "";
    all.add(file.getAbsolutePath() + end);
    all.add(file.getCanonicalPath() + end);
  }

  /**
   * What was asked for since the sequence began, and can be made.
   *
   * @return absolute paths, in order of time
   */
  public static synchronized Collection<String> asked() {
    return new LinkedHashSet<>(ASKED);
  }

  /**
   * What was looked at since the sequence began where the user may have another file.
   *
   * @param first what comes before it
   * @return that if it is not null, then what was looked at, or null
   */
  public static synchronized String orOutside(String first) {
    return first != null ? first : outside;
  }

  /**
   * Says whether class initialisers that ask for what is missing are denied, since one of them does
   * harm where it is there: they run but once, so that nobody can try others.
   *
   * @param areBarred true if so
   */
  public static void barInitializers(boolean areBarred) {
    areInitializersBarred = areBarred;
  }

  /**
   * Whether that was denied to a class initialiser since the sequence began.
   *
   * @return true if so
   */
  public static boolean isByInitializer() {
    return isByInitializer;
  }
}
