package io.palus.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Files and folders that nobody but their owner reads, where the file system knows of owners: what
 * a traced run leaves holds what the tests saw.
 */
public final class PrivateFiles {
  private PrivateFiles() {}

  /** Makes a folder, unless there is one, and takes it from everybody but its owner. */
  public static void folder(Path folder) throws IOException {
    Files.createDirectories(folder);
    restrict(folder, "rwx------");
  }

  /** Takes a file, where it exists, from everybody but its owner. */
  public static void file(Path file) throws IOException {
    if (Files.isRegularFile(file)) {
      restrict(file, "rw-------");
    }
  }

  private static void restrict(Path path, String rights) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
    }
  }
}
