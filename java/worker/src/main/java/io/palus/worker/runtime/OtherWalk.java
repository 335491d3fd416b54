package io.palus.worker.runtime;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** {@code Files.walkFileTree} in the order of {@link OtherFiles}. */
final class OtherWalk {
  private static final LinkOption[] LINKS = {LinkOption.NOFOLLOW_LINKS};

  private final boolean isFollowing;
  private final int most;
  private final FileVisitor<? super Path> visitor;

  /** The folders from the start down to where it is. */
  private final Deque<Path> above = new ArrayDeque<>();

  OtherWalk(Set<FileVisitOption> options, int most, FileVisitor<? super Path> visitor) {
    if (most < 0) {
      throw new IllegalArgumentException("'maxDepth' is negative");
    }
    isFollowing = options.contains(FileVisitOption.FOLLOW_LINKS);
    this.most = most;
    this.visitor = visitor;
  }

  Path from(Path start) throws IOException {
    visit(start);
    return start;
  }

  private FileVisitResult visit(Path path) throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = attributes(path);
    } catch (IOException e) {
      return given(visitor.visitFileFailed(path, e));
    }
    if (above.size() >= most || !attributes.isDirectory()) {
      return given(visitor.visitFile(path, attributes));
    }
    if (isFollowing && isLoop(path)) {
      IOException loop = new FileSystemLoopException(path.toString());
      return given(visitor.visitFileFailed(path, loop));
    }
    DirectoryStream<Path> entries;
    try {
      entries = Files.newDirectoryStream(path);
    } catch (IOException e) {
      return given(visitor.visitFileFailed(path, e));
    }
    try {
      return visitFolder(path, attributes, entries);
    } finally {
      entries.close();
    }
  }

  private FileVisitResult visitFolder(
      Path folder, BasicFileAttributes attributes, DirectoryStream<Path> entries)
      throws IOException {
    FileVisitResult first = given(visitor.preVisitDirectory(folder, attributes));
    if (first != FileVisitResult.CONTINUE) {
      return first;
    }
    IOException broken = null;
    List<Path> paths = new ArrayList<>();
    try {
      entries.forEach(paths::add);
    } catch (DirectoryIteratorException e) {
      broken = e.getCause();
    }
    OtherFiles.reorder(paths);
    above.push(folder);
    for (Path path : paths) {
      FileVisitResult result = visit(path);
      if (result == FileVisitResult.TERMINATE) {
        return result;
      }
      if (result == FileVisitResult.SKIP_SIBLINGS) {
        break;
      }
    }
    above.pop();
    return given(visitor.postVisitDirectory(folder, broken));
  }

  /** Of what a link leads to, where it leads anywhere and links are followed. */
  private BasicFileAttributes attributes(Path path) throws IOException {
    if (isFollowing) {
      try {
        return Files.readAttributes(path, BasicFileAttributes.class);
      } catch (IOException e) {
        return Files.readAttributes(path, BasicFileAttributes.class, LINKS);
      }
    }
    return Files.readAttributes(path, BasicFileAttributes.class, LINKS);
  }

  private boolean isLoop(Path path) throws IOException {
    for (Path folder : above) {
      if (Files.isSameFile(path, folder)) {
        return true;
      }
    }
    return false;
  }

  private static FileVisitResult given(FileVisitResult result) {
    return Objects.requireNonNull(result);
  }
}
