package io.palus.worker;

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
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stands for the user's files: the current directory and the home folder of a JVM that runs subject
 * code, full of files of usual names. None of them may ever change.
 */
public final class UserFiles {
  private static final byte[] FOLDER = {};
  private static final FileTime OLD = FileTime.fromMillis(1_000_000_000_000L);
  private static final String[] CHECKOUT = {
    "README.md",
    "pom.xml",
    "build.gradle",
    "settings.gradle",
    ".gitignore",
    ".git/HEAD",
    ".git/config",
    "src/main/java/Main.java",
    "src/main/resources/application.properties",
    "src/test/resources/data.json",
    "build/classes/Main.class",
    "target/classes/Main.class",
    "data/ledger.db",
    "data/archive/old.csv",
    "config/settings.properties",
    "config/app.yml",
    "conf/server.xml",
    "logs/app.log",
    "log/app.log",
    "output/report.html",
    "out/result.txt",
    "tmp/part.tmp",
    "temp/part.tmp",
    "cache/entry.bin",
    "backup/data.zip",
    "db/main.db",
    "lib/tool.jar",
    "docs/index.html",
    "files/file.txt",
    "test/test.txt",
    "store/index.dat",
    "config.properties",
    "settings.xml",
    "config.json",
    "data.txt",
    "input.txt",
    "output.txt",
    "test.txt",
    "file.txt",
    "out.txt",
    "log.txt",
    "app.log",
    "data.db",
    "a",
    "b",
    "x/y"
  };
  private static final String[] HOME = {
    ".bashrc",
    ".profile",
    ".gitconfig",
    ".netrc",
    ".ssh/id_rsa",
    ".ssh/config",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".config/app/settings.json",
    ".cache/app/entry.bin",
    ".local/share/app/data.db",
    ".aws/credentials",
    ".app/config",
    "Documents/letter.txt",
    "Desktop/note.txt",
    "Downloads/file.zip",
    "config.properties"
  };

  /** What a folder holds that was asked for: files by which programs know their own. */
  private static final String[] INSIDE = {
    "a.bak", "a.bin", "a.class", "a.csv", "a.dat", "a.db", "a.html", "a.java", "a.json", "a.lock",
    "a.log", "a.old", "a.properties", "a.tmp", "a.txt", "a.xml", "a.yml", "a.zip", "a", "folder/a"
  };

  private final Path folder;
  private final boolean isBare;

  /** Files with their content, folders with {@link #FOLDER}. */
  private final Map<Path, byte[]> content = new TreeMap<>();

  private final Map<Path, String> stamps = new TreeMap<>();

  private UserFiles(Path folder, boolean isBare) {
    this.folder = folder;
    this.isBare = isBare;
  }

  /**
   * Fills the folders {@code checkout} and {@code home}; what they held before is gone.
   *
   * @param folder in which these are; null where there are none, and nothing changes in those
   * @param isBare whether they are left empty
   * @return the files
   * @throws IOException if they cannot be written
   */
  public static UserFiles in(String folder, boolean isBare) throws IOException {
    UserFiles files = new UserFiles(folder == null ? null : new File(folder).toPath(), isBare);
    files.restore();
    return files;
  }

  /** The absolute paths of the two folders; none where there are none. */
  String[] folders() {
    return folder == null
        ? new String[0]
        : new String[] {folder.resolve("checkout") + "", folder.resolve("home") + ""};
  }

  /**
   * Puts all back as it was.
   *
   * @throws IOException if that fails
   */
  public void restore() throws IOException {
    if (folder == null) {
      return;
    }
    content.clear();
    stamps.clear();
    plant(folder.resolve("checkout"), CHECKOUT);
    plant(folder.resolve("home"), HOME);
    stamp();
  }

  private void stamp() throws IOException {
    for (Path path : content.keySet()) {
      Files.setLastModifiedTime(path, OLD);
    }
    for (Path path : content.keySet()) {
      stamps.put(path, stamp(path));
    }
  }

  /**
   * Makes files or folders, these with some files in them, until all is put back.
   *
   * @param paths below the two folders
   * @param areFolders whether they are folders
   * @return false if all of them exist, or none can be made
   * @throws IOException if they cannot be written
   */
  boolean add(Collection<String> paths, boolean areFolders) throws IOException {
    boolean isAnyNew = false;
    for (String path : paths) {
      Path file = new File(path).toPath().normalize();
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      try {
        if (areFolders) {
          for (String name : INSIDE) {
            write(file.resolve(name));
          }
        } else {
          write(file);
        }
        isAnyNew = true;
      } catch (IOException e) {
        continue; // below a file, or a name that the system refuses
      }
    }
    stamp();
    return isAnyNew;
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

  /** Removes all below. The folder itself stays: a JVM runs in it. */
  private static void empty(Path root) throws IOException {
    if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(root);
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
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
    for (Map.Entry<Path, String> known : stamps.entrySet()) {
      if (!stamp(known.getKey()).equals(known.getValue())) {
        return name(known.getKey());
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
    Path root = folder.resolve("home");
    boolean isHome = path.startsWith(root);
    String name = (isHome ? root : folder.resolve("checkout")).relativize(path).toString();
    String place = isHome ? "the home folder" : "the current directory";
    return name.isEmpty() ? place : name.replace(File.separatorChar, '/') + " in " + place;
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
