package io.palus.worker.runtime;

import java.io.File;
import java.nio.file.FileSystems;
import java.nio.file.Path;

/** Paths of files that the subject names. */
final class FilePaths {
  private FilePaths() {}

  /**
   * The absolute path as it is written, without {@code .} and {@code ..}: asks the system nothing.
   *
   * @param file a String, File or Path
   * @return the path; null for anything else, for another file system and for what no file can have
   */
  static String absolute(Object file) {
    File asked;
    if (file instanceof File) {
      asked = (File) file;
    } else if (file instanceof String) {
      asked = new File((String) file);
    } else if (file instanceof Path && ((Path) file).getFileSystem() == FileSystems.getDefault()) {
      asked = ((Path) file).toFile();
    } else {
      return null;
    }
    String path = plain(asked).getAbsolutePath();
    if (path.indexOf('\0') >= 0) {
      return null;
    }
    boolean hasSteps = path.contains("..") || path.endsWith(".");
    return hasSteps ? new File(path).toPath().normalize().toString() : path;
  }

  /**
   * The same file of no subclass, whose methods are the subject's code and may tell another path
   * than the JDK goes by.
   */
  static File plain(File file) {
    return file.getClass() == File.class ? file : new File(file, "");
  }
}
