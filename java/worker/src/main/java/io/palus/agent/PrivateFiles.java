package io.palus.agent;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that nobody but their owner reads, where the file system knows of owners. */
final class PrivateFiles {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFiles() {}

  /** Makes an empty file, unless there is one. */
  static void create(File file) throws IOException {
    Path path = file.toPath();
    try {
      if (isPosix()) {
        Files.createFile(path, PosixFilePermissions.asFileAttribute(FILE));
      } else {
        Files.createFile(path);
      }
    } catch (FileAlreadyExistsException e) {
      if (isPosix()) {
        Files.setPosixFilePermissions(path, FILE);
      }
    }
  }

  /** Makes a folder, unless there is one; it becomes private in any case. */
  static void createFolder(File folder) throws IOException {
    Path path = folder.toPath();
    Files.createDirectories(path);
    if (isPosix()) {
      Files.setPosixFilePermissions(path, FOLDER);
    }
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }
}
