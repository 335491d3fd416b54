package io.palus.worker.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The files that may change: temporary ones that the subject itself made in the folder for them
 * under a name that nobody else can have, what lies below such folders, and what extends such
 * names. A file of any other name may be the user's on the machine that runs the written test.
 */
final class OwnFiles {
  /** The folder for temporary files, as it is named and without links. */
  private static String named = "";

  private static String folder = "";

  /** Paths as they were made and without links, those of class initialisers first. */
  private static final List<String> MADE = new CopyOnWriteArrayList<>();

  /** How many stay when a sequence ends. */
  private static int kept;

  /** Whether the kernel's notes tell of uses of other files, so that links need not be followed. */
  private static boolean areLinksKnown;

  private OwnFiles() {}

  /** Uses of other files by way of links are known. */
  static void knowLinks() {
    areLinksKnown = true;
  }

  /** Says which folder is the one for temporary files. */
  static void set(String path) throws IOException {
    named = FilePaths.absolute(path);
    folder = new File(path).getCanonicalPath();
  }

  /** The folder for temporary files, as it is named. */
  static String folder() {
    return named;
  }

  /** A temporary file or folder was made. */
  static void add(Object file) {
    String path = FilePaths.absolute(file);
    String real = isIn(named, path) ? folder + path.substring(named.length()) : canonical(file);
    addPath(real);
    if (!real.equals(path)) {
      addPath(path);
    }
  }

  /** What has no path is nobody's: each path begins with the empty one. */
  private static void addPath(String path) {
    if (path != null && !path.isEmpty()) {
      MADE.add(path);
    }
  }

  /** Whether a path is that of a file in a folder itself: one just made is no link. */
  private static boolean isIn(String place, String path) {
    return path != null
        && path.startsWith(place + File.separator)
        && path.indexOf(File.separatorChar, place.length() + 1) < 0;
  }

  /** A temporary file or folder is gone: nobody asks for it again. */
  static void forget(Object file) {
    String path = FilePaths.absolute(file);
    MADE.remove(path);
    if (isIn(named, path)) {
      MADE.remove(folder + path.substring(named.length()));
    }
  }

  /** What was made so far stays for all sequences. */
  static void keep() {
    kept = MADE.size();
  }

  /** Starts a sequence. */
  static void reset() {
    while (MADE.size() > kept) {
      MADE.remove(MADE.size() - 1);
    }
  }

  /** Classes are loaded anew: nothing was made. */
  static void renew() {
    kept = 0;
    reset();
  }

  /** Whether a String, File or Path names something that may change. */
  static boolean hold(Object file) {
    String path = path(file);
    for (String made : MADE) {
      if (path.startsWith(made)) {
        return true;
      }
    }
    return false;
  }

  /** Whether temporary files may be made there; null is the folder for them. */
  static boolean holdTemporary(Object place) {
    String path = place == null ? folder : path(place);
    return path.equals(folder) || path.equals(named) || hold(place);
  }

  /** For questions; of what is no file the empty path, which nobody holds. */
  private static String path(Object file) {
    if (!areLinksKnown) {
      return canonical(file);
    }
    String path = FilePaths.absolute(file);
    return path == null ? "" : path;
  }

  /** The path without links; of another file system or an unreadable one the empty path. */
  private static String canonical(Object file) {
    OwnUse.begin(); // the question is ours
    try {
      File plain;
      if (file instanceof Path) {
        if (((Path) file).getFileSystem() != FileSystems.getDefault()) {
          return "";
        }
        plain = ((Path) file).toFile();
      } else {
        plain = file instanceof File ? (File) file : new File(file.toString());
      }
      return FilePaths.plain(plain).getCanonicalPath();
    } catch (IOException e) {
      return "";
    } finally {
      OwnUse.end();
    }
  }
}
