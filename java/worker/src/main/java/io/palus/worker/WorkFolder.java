package io.palus.worker;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The only folder in which a sequence may make files: what one made, the next must not find. Files
 * of class initialisers stay as they were, for they are made once, and so do those that stand for
 * the user's.
 */
final class WorkFolder {
  /** Bytes of a file that is put back. */
  private static final long LARGEST = 1 << 20;

  private static final byte[] FOLDER = {};

  private final Path folder;
  private final UserFiles user;

  /** Files with their content, null where it is too large; a folder before what is in it. */
  private final Map<Path, byte[]> kept = new TreeMap<>();

  WorkFolder(String folder, UserFiles user) {
    this.folder = Paths.get(folder);
    this.user = user;
  }

  /** Classes are loaded anew: nothing stays. */
  void renew() {
    boolean isEmpty = kept.isEmpty() && user.areUntouched();
    kept.clear();
    if (!isEmpty) {
      restore();
    }
  }

  /** From now on, what is there stays. */
  void remember() {
    visit(
        path -> {
          if (!user.hold(path)) {
            kept.put(path, content(path));
          }
        });
  }

  private static byte[] content(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      return FOLDER;
    }
    return Files.size(path) <= LARGEST ? Files.readAllBytes(path) : null;
  }

  /** Removes all that does not stay and puts back what does; what cannot be changed is left. */
  void restore() {
    if (user.holdNothingUnknown()) {
      removeMade();
    } else {
      removeAll();
    }
    kept.forEach(WorkFolder::putBack);
  }

  /** What was made lies in the folder itself, where the other names are known. */
  private void removeMade() {
    String[] names = folder.toFile().list();
    for (String name : names == null ? new String[0] : names) {
      Path path = folder.resolve(name);
      if (kept.get(path) == FOLDER) {
        removeAll(); // of a folder of class initialisers something may be new
        return;
      }
      boolean isMade = !kept.containsKey(path) && !user.hold(path);
      if (isMade && !path.toFile().delete()) {
        visit(path, Files::deleteIfExists);
      }
    }
  }

  private void removeAll() {
    visit(
        path -> {
          if (!kept.containsKey(path) && !user.hold(path)) {
            Files.deleteIfExists(path);
          }
        });
  }

  private static void putBack(Path path, byte[] content) {
    try {
      if (content == FOLDER) {
        Files.createDirectories(path);
      } else if (content != null && !isSame(path, content)) {
        Files.write(path, content);
      }
    } catch (IOException e) {
      return; // left as it is
    }
  }

  private static boolean isSame(Path path, byte[] content) throws IOException {
    return Files.isRegularFile(path)
        && Files.size(path) == content.length
        && Arrays.equals(Files.readAllBytes(path), content);
  }

  private interface Visit {
    void to(Path path) throws IOException;
  }

  /** All files and folders within, a folder after what is in it; links are not followed. */
  private void visit(Visit visit) {
    visit(folder, visit);
  }

  private void visit(Path root, Visit visit) {
    try {
      Files.walkFileTree(
          root,
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
