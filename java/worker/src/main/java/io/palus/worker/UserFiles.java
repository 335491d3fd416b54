package io.palus.worker;

import io.palus.worker.runtime.Guard;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stands for the user's files: the current directory, the home folder and the folder for temporary
 * files of a JVM that runs subject code, full of files of usual names. None of them may ever
 * change; beside them there may be nothing but what the subject made in the last one under names
 * that nobody else can have.
 */
public final class UserFiles {
  private static final byte[] FOLDER = {};
  private static final FileTime OLD = FileTime.fromMillis(1_000_000_000_000L);

  /** The folders and what messages call them. */
  private static final String[][] PLACES = {
    {"checkout", "the current directory"},
    {"home", "the home folder"},
    {"work", "the folder for temporary files"}
  };

  private final Path folder;

  /** The folder for temporary files; null where there is none. */
  private final Path temporary;

  private final boolean isBare;

  /** Files with their content, folders with {@link #FOLDER}. */
  private final Map<Path, byte[]> content = new TreeMap<>();

  private final Map<Path, String> stamps = new TreeMap<>();

  /** Tells when nothing can have changed, so that nobody needs to look. */
  private final KernelNotes notes;

  /** What the notes counted when all was as it should be. */
  private long changes;

  /** Whether files may have changed since all was put back, for which any change is enough. */
  private boolean mayDiffer = true;

  private UserFiles(Path folder, boolean isBare, KernelNotes notes) {
    this.folder = folder;
    this.temporary = folder == null ? null : folder.resolve("work");
    this.isBare = isBare;
    this.notes = notes;
  }

  /**
   * Fills the folders {@code checkout}, {@code home} and {@code work}; what they held before is
   * gone.
   *
   * @param folder in which these are; null where there are none, and nothing changes in those
   * @param isBare whether they are left empty
   * @param notes what this JVM changed, as far as that is known
   * @return the files
   * @throws IOException if they cannot be written
   */
  public static UserFiles in(String folder, boolean isBare, KernelNotes notes) throws IOException {
    Path path = folder == null ? null : new File(folder).toPath();
    UserFiles files = new UserFiles(path, isBare, notes);
    files.restore();
    return files;
  }

  /** The absolute paths of the folders; none where there are none. */
  String[] folders() {
    String[] folders = new String[folder == null ? 0 : PLACES.length];
    for (int i = 0; i < folders.length; i++) {
      folders[i] = folder.resolve(PLACES[i][0]).toString();
    }
    return folders;
  }

  /** Values that a variable or property of the user's may have; none where there are no files. */
  String[] values() {
    if (folder == null) {
      return new String[0];
    }
    Path data = folder.resolve("checkout").resolve("data");
    return new String[] {data.toString(), data.resolve("ledger.db").toString(), "true"};
  }

  /** Whether a file or folder is one of these. */
  boolean hold(Path path) {
    return content.containsKey(path);
  }

  /**
   * Puts all back as it was.
   *
   * @throws IOException if that fails
   */
  public void restore() throws IOException {
    if (folder == null || areUntouched()) {
      return;
    }
    content.clear();
    stamps.clear();
    plant(folder.resolve("checkout"), UsualNames.CHECKOUT);
    plant(folder.resolve("home"), UsualNames.HOME);
    plant(temporary, UsualNames.TEMPORARY);
    stamp();
    changes = notes.changes();
    mayDiffer = !notes.exist();
  }

  /**
   * Whether nothing was changed since all was put back. Once something was, a file may stay open,
   * and change at any time, so that all is looked at until it is put back again.
   */
  boolean areUntouched() {
    mayDiffer |= notes.changes() != changes;
    return !mayDiffer;
  }

  private void stamp() throws IOException {
    for (Path path : content.keySet()) {
      Files.setLastModifiedTime(path, OLD);
    }
    for (Path path : content.keySet()) {
      stamps.put(path, stamp(path));
    }
    stamps.remove(temporary); // the subject may make files there
  }

  private void plant(Path root, String[] names) throws IOException {
    empty(root);
    Files.createDirectories(root);
    content.put(root, FOLDER);
    for (String name : isBare ? new String[0] : names) {
      write(root.resolve(name));
    }
  }

  private void write(Path file) throws IOException {
    byte[] bytes = (file.getFileName() + "\n").getBytes(StandardCharsets.UTF_8);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
    for (Path up = file.getParent(); content.put(up, FOLDER) == null; up = up.getParent()) {}
    content.put(file, bytes);
  }

  /** Removes all below but the subject's own. The folder itself stays: a JVM runs in it. */
  private static void empty(Path root) throws IOException {
    if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(root);
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
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

  /**
   * What is no more as it was, by times, sizes and rights.
   *
   * @return a name for messages; null if all is as it was
   */
  public String changed() {
    if (areUntouched()) {
      return null;
    }
    for (Map.Entry<Path, String> known : stamps.entrySet()) {
      if (!stamp(known.getKey()).equals(known.getValue())) {
        return name(known.getKey());
      }
    }
    return stranger();
  }

  /** What somebody else made in the folder for temporary files; null for nothing. */
  private String stranger() {
    String[] found = temporary == null ? null : temporary.toFile().list();
    for (String name : found == null ? new String[0] : found) {
      Path path = temporary.resolve(name);
      if (!content.containsKey(path) && !Guard.isOwn(path)) {
        return name(path);
      }
    }
    return null;
  }

  /**
   * What is no more as it was, also by content.
   *
   * @return as {@link #changed}
   */
  public String changedInside() {
    if (areUntouched()) {
      return null;
    }
    String changed = changed();
    if (changed != null) {
      return changed;
    }
    for (Map.Entry<Path, byte[]> known : content.entrySet()) {
      try {
        if (known.getValue() != FOLDER
            && !Arrays.equals(Files.readAllBytes(known.getKey()), known.getValue())) {
          return name(known.getKey());
        }
      } catch (IOException e) {
        return name(known.getKey());
      }
    }
    return null;
  }

  private String name(Path path) {
    for (String[] place : PLACES) {
      Path root = folder.resolve(place[0]);
      if (path.startsWith(root)) {
        String name = root.relativize(path).toString().replace(File.separatorChar, '/');
        return name.isEmpty() ? place[1] : name + " in " + place[1];
      }
    }
    return path.toString();
  }

  /** Changes with each change of a file, and of a folder's names. */
  private static String stamp(Path path) {
    try {
      BasicFileAttributes found;
      String rights = "";
      try {
        PosixFileAttributes posix =
            Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        rights = posix.permissions().toString();
        found = posix;
      } catch (UnsupportedOperationException e) { // not on this system
        found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      }
      long size = found.isDirectory() ? 0 : found.size();
      return found.lastModifiedTime().toMillis() + " " + size + rights + found.fileKey();
    } catch (IOException e) {
      return "gone";
    }
  }
}
