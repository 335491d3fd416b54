package io.palus.worker;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;

/**
 * The only folder in which a sequence may make files: what one made, the next must not find. Files
 * of class initialisers stay, for they are made once.
 */
final class WorkFolder {
  private final Path folder;
  private final Set<Path> kept = new HashSet<>();

  WorkFolder(String folder) {
    this.folder = Paths.get(folder);
  }

  /** Classes are loaded anew: nothing stays. */
  void renew() {
    kept.clear();
    restore();
  }

  /** From now on, what is there stays. */
  void remember() {
    visit(kept::add);
  }

  /** Removes all that does not stay; what cannot be removed is left. */
  void restore() {
    visit(
        path -> {
          if (!kept.contains(path)) {
            Files.deleteIfExists(path);
          }
        });
  }

  private interface Visit {
    void to(Path path) throws IOException;
  }

  /** All files and folders within, a folder after what is in it; links are not followed. */
  private void visit(Visit visit) {
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              return go(file);
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return go(file);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) {
              return visited.equals(folder) ? FileVisitResult.CONTINUE : go(visited);
            }

            private FileVisitResult go(Path path) {
              try {
                visit.to(path);
              } catch (IOException e) {
                return FileVisitResult.CONTINUE; // left as it is
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      return; // the folder itself is gone
    }
  }
}
