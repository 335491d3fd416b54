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
    // Not by the subclass's own methods, which are the subject's code.
    String path = new File(asked.getPath()).getAbsolutePath();
    if (path.indexOf('\0') >= 0) {
      return null;
    }
    boolean hasSteps = path.contains("..") || path.endsWith(".");
    return hasSteps ? new File(path).toPath().normalize().toString() : path;
  }
}
