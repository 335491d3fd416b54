package io.palus.worker.runtime;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Notes looks at files that the user may have otherwise: nobody can tell what they lead to where
 * the written test runs. Own temporary files are no such files, nor are the class path and the JDK.
 */
public final class MissingFiles {
  private static final List<String> DEVICES =
      Arrays.asList("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom");

  private static String[] roots = {};

  /**
   * What is the same, or means nothing, on each machine: of folders the beginning of what lies in
   * them, of jars the whole path, as what only begins like it is another file.
   */
  private static String[] known = {};

  /** What was looked at elsewhere; null for nothing. */
  private static volatile String outside;

  /** What was looked at in the folders that stand for the user's; null for nothing. */
  private static volatile String inside;

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
    String path = path(file);
    if (path != null) {
      asks(path);
    }
  }

  /**
   * The names in a folder are about to be asked for.
   *
   * @param folder as in {@link #asks(Object)}
   */
  public static void lists(Object folder) {
    String path = path(folder);
    if (path == null) {
      return;
    }
    String look = "a look into a folder of the user's, " + new File(path).getName();
    if (Arrays.asList(roots).contains(path + File.separator)) {
      noteInside(look);
    } else if (isAbove(path)) {
      noteOutside(look);
    } else {
      asks(path);
    }
  }

  /** The absolute path; null where looks do not count, and for what is no file. */
  private static String path(Object file) {
    return roots.length == 0 ? null : FilePaths.absolute(file);
  }

  private static void asks(String path) {
    if (startsWithAny(roots, path)) {
      if (!OwnFiles.hold(path)) {
        noteInside("a look at a file of the user's, " + new File(path).getName());
      }
    } else if (!isKnown(path) && !isAbove(path) && !DEVICES.contains(path)) {
      noteOutside("a look at " + path);
    }
  }

  private static boolean isKnown(String path) {
    for (String place : known) {
      if (place.endsWith(File.separator) ? path.startsWith(place) : path.equals(place)) {
        return true;
      }
    }
    return false;
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

  /** A class initialiser asks for something that is missing here and may be there elsewhere. */
  static synchronized void asksInInitializer(String what) {
    if (areInitializersBarred) {
      isByInitializer = true;
      noteOutside("a look of a class initialiser for " + what);
    }
  }

  private static synchronized void noteInside(String look) {
    if (inside == null) {
      inside = look;
    }
  }

  private static synchronized void noteOutside(String look) {
    if (outside == null) {
      outside = look;
    }
  }

  /** Starts a sequence. */
  static void reset() {
    if (outside != null || inside != null) { // writing them each time costs more than looking
      outside = null;
      inside = null;
    }
    isByInitializer = false;
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

  /** A folder is entered with the separator. */
  private static void add(String entry, Set<String> all) throws IOException {
    File file = new File(entry);
    String end = file.isDirectory() ? File.separator : "";
    all.add(file.getAbsolutePath() + end);
    all.add(file.getCanonicalPath() + end);
  }

  /**
   * What was looked at since the sequence began where the user may have another file.
   *
   * @param other what the kernel says, which knows only the call
   * @return a look at a file of the user's, else the other, else a look elsewhere, else null
   */
  public static String orOutside(String other) {
    return inside != null ? inside : other != null ? other : outside;
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
