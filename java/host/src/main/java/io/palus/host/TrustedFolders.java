package io.palus.host;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/**
 * Folders of code that a build runs: nobody but their owner, who is the user of this build or the
 * administrator, may write there. Comes in: a folder. Goes out: that folder, made where it was
 * missing, or an error that says who else could write there. Where the file system knows of no such
 * rights, the system's own ones hold.
 */
final class TrustedFolders {
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  private TrustedFolders() {}

  /**
   * Makes a folder for the owner alone, or checks the one that is there.
   *
   * @throws PalusException where others own it or can write to it
   */
  static void make(Path folder) throws IOException {
    if (!hasOwners(folder)) {
      Files.createDirectories(folder);
      return;
    }
    if (!Files.exists(folder)) {
      Files.createDirectories(folder.getParent());
      try {
        Files.createDirectory(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } catch (FileAlreadyExistsException e) {
        // Another build was faster; what is there is looked at all the same.
      }
    }
    String fault = fault(Files.readAttributes(folder, PosixFileAttributes.class), user());
    if (fault != null) {
      throw PalusException.configuration(
          "the folder " + folder + " " + fault + ", and builds run code that lies there",
          "Let it be yours alone (`chown` and `chmod go-w`), or name another one: -D"
              + CachedResource.CACHE_PROPERTY
              + "=<folder>",
          null);
    }
  }

  /** Whether only the user of this build or the administrator can have written a file. */
  static boolean isTrusted(Path file) throws IOException {
    return !hasOwners(file)
        || fault(
                Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS),
                user())
            == null;
  }

  /** What is wrong with a folder, for a user; null where nothing is. */
  static String fault(PosixFileAttributes folder, UserPrincipal user) {
    String owner = folder.owner().getName();
    if (!folder.owner().equals(user) && !owner.equals("root")) {
      return "belongs to another user (" + owner + ")";
    }
    for (PosixFilePermission permission : folder.permissions()) {
      if (OTHERS.contains(permission)) {
        return "can be written by other users";
      }
    }
    return null;
  }

  /** The user of this process, as the file system names its owner. */
  private static UserPrincipal user() throws IOException {
    Path own = Files.createTempFile("palus", null);
    try {
      return Files.getOwner(own);
    } finally {
      Files.delete(own);
    }
  }

  private static boolean hasOwners(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
