package io.palus.gradle;

import io.palus.host.OwnFolders;
import io.palus.host.PalusException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.function.Predicate;

/**
 * Copies of what earlier runs wrote. Where Gradle has no history of a task (its folder {@code
 * .gradle} is gone, or is that of another version), it deletes the task's outputs below the build
 * folder before the task can look: edited tests too, and those whose behaviour is to be compared.
 * {@link KeepOutputs} makes the copies before that, and {@link PalusGenerate} puts back what is
 * gone.
 */
final class OutputCopies {
  private final Path build;
  private final List<Path> folders;
  private final Path copies;

  /** Of these folders, as far as they are below that of the build; the copies lie there too. */
  OutputCopies(Path build, List<Path> folders, Path copies) {
    this.build = build;
    this.folders = folders;
    this.copies = copies;
  }

  private Path copy(Path folder) {
    return copies.resolve(Integer.toString(folders.indexOf(folder)));
  }

  /** Copies all files, in place of earlier copies; links are left out. */
  void make() {
    for (Path folder : folders) {
      // A build ended between Gradle's deleting and putting back: nobody else has it.
      if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)
          && Files.isDirectory(copy(folder), LinkOption.NOFOLLOW_LINKS)) {
        addMissing(copy(folder), folder);
      }
    }
    forget();
    for (Path folder : folders) {
      if (folder.startsWith(build) && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        addMissing(folder, copy(folder));
      }
    }
  }

  /** Puts back each file that is not there any more, and forgets the copies. */
  void putBack() {
    for (Path folder : folders) {
      if (Files.isDirectory(copy(folder), LinkOption.NOFOLLOW_LINKS)) {
        addMissing(copy(folder), folder);
      }
    }
    forget();
  }

  /** Whether that is true of a folder: as it is, or as it was before Gradle emptied it. */
  boolean isIn(Path folder, Predicate<Path> what) {
    return what.test(folder) || what.test(copy(folder));
  }

  private void forget() {
    try {
      OwnFolders.delete(build, copies);
    } catch (IOException e) {
      throw Failures.of(PalusException.unwritable(copies, e));
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }

  private static void addMissing(Path from, Path to) {
    try {
      Files.walkFileTree(
          from,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
              Path target = to.resolve(from.relativize(file));
              if (is.isRegularFile() && !Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectories(target.getParent());
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw Failures.of(PalusException.unwritable(to, e));
    }
  }
}
