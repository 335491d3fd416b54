package io.palus.worker.runtime;

import java.io.File;
import java.io.FileFilter;
import java.io.FilenameFilter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * The order in which another file system lists a folder, for code whose answers are not to rest on
 * it: from two names on, each has another place. A folder still comes before what is in it.
 */
public final class OtherFiles {
  private OtherFiles() {}

  /** Instead of the methods of {@code File} that list: the array itself, in another order. */
  private static <T> T[] other(T[] listed) {
    if (listed != null) {
      reorder(java.util.Arrays.asList(listed));
    }
    return listed;
  }

  /** Backwards; the one in the middle would stay, and changes places with the first. */
  static void reorder(List<?> listed) {
    Collections.reverse(listed);
    if (listed.size() % 2 != 0) {
      Collections.swap(listed, 0, listed.size() / 2);
    }
  }

  public static String[] list(File folder) {
    return other(folder.list());
  }

  public static String[] list(File folder, FilenameFilter filter) {
    return other(folder.list(filter));
  }

  public static File[] listFiles(File folder) {
    return other(folder.listFiles());
  }

  public static File[] listFiles(File folder, FilenameFilter filter) {
    return other(folder.listFiles(filter));
  }

  public static File[] listFiles(File folder, FileFilter filter) {
    return other(folder.listFiles(filter));
  }

  public static DirectoryStream<Path> newDirectoryStream(Path folder) throws IOException {
    return new Entries(Files.newDirectoryStream(folder));
  }

  public static DirectoryStream<Path> newDirectoryStream(Path folder, String glob)
      throws IOException {
    return new Entries(Files.newDirectoryStream(folder, glob));
  }

  public static DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    return new Entries(Files.newDirectoryStream(folder, filter));
  }

  public static Stream<Path> list(Path folder) throws IOException {
    return tree(Files.list(folder));
  }

  public static Stream<Path> walk(Path start, FileVisitOption[] options) throws IOException {
    return tree(Files.walk(start, options));
  }

  public static Stream<Path> walk(Path start, int depth, FileVisitOption[] options)
      throws IOException {
    return tree(Files.walk(start, depth, options));
  }

  public static Stream<Path> find(
      Path start,
      int depth,
      BiPredicate<Path, java.nio.file.attribute.BasicFileAttributes> matcher,
      FileVisitOption[] options)
      throws IOException {
    return tree(Files.find(start, depth, matcher, options));
  }

  public static Path walkFileTree(Path start, FileVisitor<? super Path> visitor)
      throws IOException {
    return walkFileTree(start, EnumSet.noneOf(FileVisitOption.class), Integer.MAX_VALUE, visitor);
  }

  public static Path walkFileTree(
      Path start, Set<FileVisitOption> options, int depth, FileVisitor<? super Path> visitor)
      throws IOException {
    return new OtherWalk(options, depth, visitor).from(start);
  }

  private static Stream<Path> tree(Stream<Path> found) {
    Branch root = new Branch();
    Iterator<Path> all = found.iterator();
    while (all.hasNext()) {
      root.add(all.next());
    }
    List<Path> paths = new ArrayList<>();
    root.gather(paths);
    return paths.stream().onClose(found::close);
  }

  /** What was found below one name. */
  private static final class Branch {
    private final Map<Path, Branch> below = new LinkedHashMap<>();

    /** The path itself, if it was found. */
    private Path found;

    void add(Path path) {
      Branch branch = this;
      for (Path name : path) {
        branch = branch.below.computeIfAbsent(name, key -> new Branch());
      }
      branch.found = path;
    }

    void gather(List<Path> paths) {
      if (found != null) {
        paths.add(found);
      }
      List<Branch> branches = new ArrayList<>(below.values());
      reorder(branches);
      for (Branch branch : branches) {
        branch.gather(paths);
      }
    }
  }

  private static final class Entries implements DirectoryStream<Path> {
    private final DirectoryStream<Path> entries;

    Entries(DirectoryStream<Path> entries) {
      this.entries = entries;
    }

    @Override
    public Iterator<Path> iterator() {
      List<Path> all = new ArrayList<>();
      entries.iterator().forEachRemaining(all::add);
      reorder(all);
      return Collections.unmodifiableList(all).iterator();
    }

    @Override
    public void close() throws IOException {
      entries.close();
    }
  }
}
