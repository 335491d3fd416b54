package io.palus.gradle;

import io.palus.host.PalusException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;

/**
 * Has Gradle know files that a task left as they were for outputs of that task. Where Gradle has no
 * history, a file that is the same before and after a run, with the same time, is somebody else's
 * to it: it would not see that such a file was deleted, and would never again use its build cache.
 * So each gets a new time. A file that Gradle deletes where it has no history says when that is to
 * be done.
 */
final class KnownOutputs {
  private KnownOutputs() {}

  /**
   * Does so for folders below that of the build, unless {@code known} is there, and writes that.
   */
  static void claim(Path build, List<Path> folders, Path known) {
    if (Files.exists(known)) {
      return;
    }
    Path at = known;
    try {
      FileTime now = FileTime.fromMillis(System.currentTimeMillis());
      for (Path folder : folders) {
        at = folder;
        if (OutputMarkers.isOwn(build, folder)) {
          Files.walkFileTree(folder, new Touch(now));
        }
      }
      at = known;
      Files.createDirectories(known.getParent());
      Files.createFile(known);
    } catch (IOException e) {
      throw Failures.of(PalusException.unwritable(at, e));
    }
  }

  /** Follows no link. */
  private static final class Touch extends SimpleFileVisitor<Path> {
    private final FileTime now;

    private Touch(FileTime now) {
      this.now = now;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
      if (is.isRegularFile()) {
        Files.setLastModifiedTime(file, now);
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
