package io.palus.gradle;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;

/**
 * Whether a folder that a {@link PalusGenerate} writes holds a file that somebody else wrote or
 * changed. Gradle empties the folder before it fills it from a build cache, and puts all that it
 * holds into the cache.
 */
final class EditedTests implements Spec<Task>, Serializable {
  private static final long serialVersionUID = 1L;
  static final String MANIFEST = ".palus-manifest";

  private static final String PROJECT = "project ./";
  private static final String FOLDER = "folder ./";

  @Override
  public boolean isSatisfiedBy(Task task) {
    PalusGenerate generate = (PalusGenerate) task;
    Path project = generate.getProjectDirectory().get().getAsFile().toPath();
    return Stream.of(generate.getOutputDirectory(), generate.getFindingsDirectory())
        .map(folder -> folder.get().getAsFile().toPath())
        .anyMatch(folder -> isIn(folder) || isAnothers(folder, project));
  }

  /** True too where nobody can tell. */
  static boolean isIn(Path folder) {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      Map<String, Set<String>> ours = manifest(folder.resolve(MANIFEST));
      Iterator<Path> each = files.filter(file -> !file.equals(folder.resolve(MANIFEST))).iterator();
      while (each.hasNext()) {
        Path file = each.next();
        boolean isFolder = Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
        if (isFolder ? !isNeeded(folder, file, ours) : !isOurs(folder, file, ours)) {
          return true;
        }
      }
      return false;
    } catch (IOException | UncheckedIOException e) {
      return true;
    }
  }

  /**
   * Deletes what is as it was written, and folders that were written to and are empty then; all
   * else stays, and is listed as before.
   *
   * @return whether any file stayed
   */
  static boolean deleteOurs(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    Path list = folder.resolve(MANIFEST);
    Map<String, Set<String>> ours = manifest(list);
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    }
    boolean isAnyLeft = false;
    for (Path file : all) {
      if (file.equals(folder) || file.equals(list)) {
        continue;
      }
      if (isOurs(folder, file, ours)) {
        Files.delete(file);
      } else if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        isAnyLeft = true;
      } else if (isNeeded(folder, file, ours)) {
        deleteEmpty(file);
      }
    }
    if (!isAnyLeft && Files.deleteIfExists(list)) {
      deleteEmpty(folder);
    }
    return isAnyLeft;
  }

  /**
   * Whether a folder has the files of another project that is still there: its manifest names the
   * way from the folder to the project and the way back, and they meet.
   */
  static boolean isAnothers(Path folder, Path project) {
    try {
      Path there = null;
      Path back = null;
      for (String line : lines(folder.resolve(MANIFEST))) {
        if (there == null && line.startsWith(PROJECT)) {
          there = folder.toRealPath().resolve(line.substring(PROJECT.length())).toRealPath();
        } else if (there != null && line.startsWith(FOLDER)) {
          back = there.resolve(line.substring(FOLDER.length())).toRealPath();
          break;
        }
      }
      return back != null
          && back.equals(folder.toRealPath())
          && !there.equals(project.toRealPath());
    } catch (IOException | InvalidPathException e) {
      return false; // one that was moved has no such project any more
    }
  }

  private static void deleteEmpty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      if (files.findAny().isPresent()) {
        return;
      }
    }
    Files.delete(folder);
  }

  /** False for a folder that somebody else made: no file that was written is to be in it. */
  private static boolean isNeeded(Path folder, Path below, Map<String, Set<String>> ours) {
    String name = name(folder, below);
    return name.isEmpty() || ours.keySet().stream().anyMatch(file -> file.startsWith(name + "/"));
  }

  private static String name(Path folder, Path below) {
    return folder.relativize(below).toString().replace('\\', '/');
  }

  private static boolean isOurs(Path folder, Path file, Map<String, Set<String>> ours)
      throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && ours.getOrDefault(name(folder, file), Collections.emptySet()).contains(hash(file));
  }

  /** Lines of {@code sha256 relative/path}; a path may have two. */
  private static Map<String, Set<String>> manifest(Path file) throws IOException {
    Map<String, Set<String>> hashes = new HashMap<>();
    for (String line : lines(file)) {
      int space = line.indexOf(' ');
      if (space > 0) {
        hashes
            .computeIfAbsent(line.substring(space + 1), path -> new HashSet<>())
            .add(line.substring(0, space));
      }
    }
    return hashes;
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        ? Files.readAllLines(file, StandardCharsets.UTF_8)
        : Collections.emptyList();
  }

  private static String hash(Path file) throws IOException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      StringBuilder text = new StringBuilder(2 * digest.length);
      for (byte one : digest) {
        text.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
      }
      return text.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }
}
