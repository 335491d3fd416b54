package io.palus.worker.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;

/** The only folder in which files may change. */
final class AllowedFolder {
  private static String folder = "";

  private AllowedFolder() {}

  static void set(String path) throws IOException {
    folder = new File(path).getCanonicalPath();
  }

  /** Whether a String, File or Path names the folder or something in it. */
  static boolean holds(Object file) {
    String path = canonical(file);
    return path.equals(folder) || path.startsWith(folder + File.separator);
  }

  /** Whether it names the folder; null names nothing. */
  static boolean is(Object file) {
    return file != null && canonical(file).equals(folder);
  }

  /** The path without links, empty where there is none on this machine. */
  private static String canonical(Object file) {
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
      return new File(plain.getPath()).getCanonicalPath();
    } catch (IOException e) {
      return "";
    }
  }
}
