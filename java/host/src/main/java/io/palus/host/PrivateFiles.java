package io.palus.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Files and folders that nobody but their owner reads, where the file system knows of owners: what
 * a traced run leaves holds what the tests saw. No link is followed in the place of a file.
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
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      restrict(file, "rw-------");
    }
  }

  /** Writes a file whole: a new one takes the place of whatever file or link has its name. */
  public static void write(Path file, byte[] content) throws IOException {
    Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
    Path unfinished = Files.createTempFile(folder, file.getFileName() + ".", ".tmp");
    try {
      Files.write(unfinished, content);
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private static void restrict(Path path, String rights) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
    }
  }
}
