package io.palus.worker;

import io.palus.worker.runtime.Guard;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Folders full of files that we wrote, each known by its content, time and rights. Beside them
 * there may be only what the subject made itself.
 */
final class PlantedFiles {
  private static final byte[] FOLDER = {};

  /** A question about a file of this name tells the launcher's helper that its folder is ours. */
  private static final String MARK = ".palus-planted";

  private static final FileTime OLD = FileTime.fromMillis(1_000_000_000_000L);

  /** Files with their content, folders with {@link #FOLDER}; a folder before what is in it. */
  private final Map<Path, byte[]> content = new TreeMap<>();

  private final Set<Path> roots = new TreeSet<>();
  private final Map<Path, Stamp> stamps = new TreeMap<>();

  /** In this folder the subject may make files; null for nowhere. */
  private final Path open;

  PlantedFiles(Path open) {
    this.open = open;
  }

  /** Whether a file or folder is one of these. */
  boolean hold(Path path) {
    return content.containsKey(path);
  }

  /**
   * These files belong in a folder, each with its name and the end of a line as its content.
   *
   * @param names relative paths of files
   */
  void know(Path root, List<String> names) {
    roots.add(root);
    content.put(root, FOLDER);
    for (String name : names) {
      Path file = root.resolve(name);
      knowFolder(file.getParent());
      content.put(file, (file.getFileName() + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private void knowFolder(Path folder) {
    if (content.put(folder, FOLDER) == null) {
      knowFolder(folder.getParent());
    }
  }

  /**
   * Fills the folders; what they held before is gone, but not the folders themselves: a JVM runs in
   * one.
   */
  void plant() throws IOException {
    for (Path root : roots) {
      if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
        empty(root);
      } else {
        Files.deleteIfExists(root);
        Files.createDirectories(root);
      }
    }
    for (Map.Entry<Path, byte[]> known : content.entrySet()) {
      if (known.getValue() != FOLDER) {
        Files.write(known.getKey(), known.getValue());
      } else if (!roots.contains(known.getKey())) {
        makeFolder(known.getKey());
      }
    }
  }

  private static void makeFolder(Path folder) throws IOException {
    Files.createDirectory(folder);
    Files.exists(folder.resolve(MARK));
  }

  /** From now on each change is known. */
  void stamp() {
    stamp(content.keySet());
  }

  private void stamp(Set<Path> paths) {
    for (Path path : paths) {
      Stamp stamp = Stamp.of(path);
      stamps.put(path, stamp.isOld() || !age(path) ? stamp : Stamp.of(path));
    }
  }

  /** Where nobody watches the calls of this JVM, its kernel lets it change no time. */
  private static boolean age(Path path) {
    try {
      Files.setLastModifiedTime(path, OLD);
      return true;
    } catch (IOException e) {
      return false; // then it is known by the time at which it was written
    }
  }

  /** The first that is no more as it was, by time, size and rights; null if all are. */
  Path changed() {
    for (Map.Entry<Path, Stamp> known : stamps.entrySet()) {
      boolean isOpen = known.getKey().equals(open);
      if (!isOpen && !known.getValue().equals(Stamp.of(known.getKey()))) {
        return known.getKey();
      }
    }
    return null;
  }

  /** The first file that has another content, whatever its time; null if none has. */
  Path changedInside() {
    for (Map.Entry<Path, byte[]> known : content.entrySet()) {
      try {
        if (known.getValue() != FOLDER
            && !Arrays.equals(Files.readAllBytes(known.getKey()), known.getValue())) {
          return known.getKey();
        }
      } catch (IOException e) {
        return known.getKey();
      }
    }
    return null;
  }

  /** Puts back as it was what {@link #changed} can tell, and removes what was made beside it. */
  void repair() throws IOException {
    Set<Path> again = new TreeSet<>();
    for (Map.Entry<Path, byte[]> known : content.entrySet()) {
      Path path = known.getKey();
      Stamp stamp = stamps.get(path);
      if (stamp != null && stamp.equals(Stamp.of(path))) {
        continue;
      }
      if (known.getValue() == FOLDER) {
        repairFolder(path, stamp);
      } else {
        remove(path);
        Files.write(path, known.getValue());
      }
      again.add(path);
      if (content.containsKey(path.getParent())) {
        again.add(path.getParent());
      }
    }
    stamp(again);
  }

  private void repairFolder(Path folder, Stamp stamp) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(folder);
      makeFolder(folder);
    }
    if (stamp != null && stamp.rights != null && !stamp.rights.equals(Stamp.of(folder).rights)) {
      Files.setPosixFilePermissions(folder, stamp.rights);
    }
    try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
      for (Path path : inside) {
        if (!content.containsKey(path) && !Guard.isOwn(path)) {
          remove(path);
        }
      }
    }
  }

  private static void remove(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      empty(path);
    }
    Files.deleteIfExists(path);
  }

  /** A folder whose rights the subject took away can be emptied again, as far as it is ours. */
  private static void open(Path folder) {
    File file = folder.toFile();
    if (!file.canWrite() || !file.canRead() || !file.canExecute()) {
      file.setWritable(true, true);
      file.setReadable(true, true);
      file.setExecutable(true, true);
    }
  }

  /** Removes all below but the subject's own. */
  private static void empty(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
            open(visited);
            return !visited.equals(root) && Guard.isOwn(visited)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!Guard.isOwn(file)) {
              Files.delete(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            if (!visited.equals(root)) {
              Files.delete(visited);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Changes with each change of a file, and of a folder's names. */
  private static final class Stamp {
    /** Null where the system has none. */
    final Set<PosixFilePermission> rights;

    /** Null where there is no file. */
    private final FileTime time;

    private final long size;

    /** Another one for another file of the same name; null where the system has none. */
    private final Object key;

    private Stamp(Set<PosixFilePermission> rights, BasicFileAttributes found) {
      this.rights = rights;
      this.time = found == null ? null : found.lastModifiedTime();
      this.size = found == null || found.isDirectory() ? 0 : found.size();
      this.key = found == null ? null : found.fileKey();
    }

    static Stamp of(Path path) {
      try {
        try {
          PosixFileAttributes posix =
              Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
          return new Stamp(posix.permissions(), posix);
        } catch (UnsupportedOperationException e) { // not on this system
          return new Stamp(
              null,
              Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        }
      } catch (IOException e) {
        return new Stamp(null, null);
      }
    }

    boolean isOld() {
      return OLD.equals(time);
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Stamp)) {
        return false;
      }
      Stamp stamp = (Stamp) other;
      return size == stamp.size
          && Objects.equals(time, stamp.time)
          && Objects.equals(rights, stamp.rights)
          && Objects.equals(key, stamp.key);
    }

    @Override
    public int hashCode() {
      return Objects.hash(time, size, rights, key);
    }
  }
}
