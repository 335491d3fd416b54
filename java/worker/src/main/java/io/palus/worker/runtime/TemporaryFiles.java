package io.palus.worker.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;

/** Stands in for the methods that make temporary files: what they made may change. */
public final class TemporaryFiles {
  private TemporaryFiles() {}

  /**
   * Instead of {@code File.createTempFile(String, String)}.
   *
   * @param prefix as the original
   * @param suffix as the original
   * @return the file
   * @throws IOException as the original
   */
  public static File createTempFile(String prefix, String suffix) throws IOException {
    return createTempFile(prefix, suffix, (File) null);
  }

  /**
   * Instead of {@code File.createTempFile(String, String, File)}.
   *
   * @param prefix as the original
   * @param suffix as the original
   * @param folder as the original
   * @return the file
   * @throws IOException as the original
   */
  public static File createTempFile(String prefix, String suffix, File folder) throws IOException {
    Guard.temporary(folder, "File.createTempFile");
    return made(() -> File.createTempFile(prefix, suffix, folder));
  }

  /**
   * Instead of {@code Files.createTempFile(String, String, FileAttribute...)}.
   *
   * @param prefix as the original
   * @param suffix as the original
   * @param attributes as the original
   * @return the file
   * @throws IOException as the original
   */
  public static Path createTempFile(String prefix, String suffix, FileAttribute<?>[] attributes)
      throws IOException {
    Guard.temporary(null, "Files.createTempFile");
    return made(() -> Files.createTempFile(prefix, suffix, attributes));
  }

  /**
   * Instead of {@code Files.createTempFile(Path, String, String, FileAttribute...)}.
   *
   * @param folder as the original
   * @param prefix as the original
   * @param suffix as the original
   * @param attributes as the original
   * @return the file
   * @throws IOException as the original
   */
  public static Path createTempFile(
      Path folder, String prefix, String suffix, FileAttribute<?>[] attributes) throws IOException {
    if (folder != null) {
      Guard.temporary(folder, "Files.createTempFile");
    }
    return made(() -> Files.createTempFile(folder, prefix, suffix, attributes));
  }

  /**
   * Instead of {@code Files.createTempDirectory(String, FileAttribute...)}.
   *
   * @param prefix as the original
   * @param attributes as the original
   * @return the folder
   * @throws IOException as the original
   */
  public static Path createTempDirectory(String prefix, FileAttribute<?>[] attributes)
      throws IOException {
    Guard.temporary(null, "Files.createTempDirectory");
    return made(() -> Files.createTempDirectory(prefix, attributes));
  }

  /**
   * Instead of {@code Files.createTempDirectory(Path, String, FileAttribute...)}.
   *
   * @param folder as the original
   * @param prefix as the original
   * @param attributes as the original
   * @return the folder
   * @throws IOException as the original
   */
  public static Path createTempDirectory(Path folder, String prefix, FileAttribute<?>[] attributes)
      throws IOException {
    if (folder != null) {
      Guard.temporary(folder, "Files.createTempDirectory");
    }
    return made(() -> Files.createTempDirectory(folder, prefix, attributes));
  }

  /**
   * Makes a file in the folder for temporary files.
   *
   * @param name its name
   * @return the file; null where it cannot be made under this name
   */
  static File create(String name) {
    File file = new File(OwnFiles.folder(), name);
    try {
      Guard.temporary(null, "File.createTempFile");
      return made(() -> file.createNewFile() ? file : null);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Makes a folder in the folder for temporary files.
   *
   * @param name its name
   * @return the folder; null where it cannot be made under this name
   */
  static Path createFolder(String name) {
    File folder = new File(OwnFiles.folder(), name);
    try {
      Guard.temporary(null, "Files.createTempDirectory");
      return made(() -> folder.mkdir() ? folder.toPath() : null);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Removes a temporary folder with all that is in it; no link is followed. What cannot be removed
   * stays, and is the subject's own.
   *
   * @param folder the folder
   */
  public static void remove(File folder) {
    OwnUse.begin();
    try {
      removeAll(folder);
      if (!folder.exists()) {
        OwnFiles.forget(folder);
      }
    } finally {
      OwnUse.end();
    }
  }

  private static void removeAll(File file) {
    File[] files = Files.isSymbolicLink(file.toPath()) ? null : file.listFiles();
    for (File one : files == null ? new File[0] : files) {
      removeAll(one);
    }
    file.delete();
  }

  private interface Making<T> {
    T make() throws IOException;
  }

  /** Names that nobody has yet are looked for: that is no look at a file of the user's. */
  private static <T> T made(Making<T> making) throws IOException {
    OwnUse.begin();
    try {
      T made = making.make();
      if (made != null) {
        OwnFiles.add(made);
      }
      return made;
    } finally {
      OwnUse.end();
    }
  }
}
