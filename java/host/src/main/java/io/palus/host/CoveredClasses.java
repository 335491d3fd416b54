package io.palus.host;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which classes JaCoCo's agent is to instrument: the project's own. Left alone, it instruments
 * those of all libraries, which takes longer than most test runs.
 */
public final class CoveredClasses {
  private static final String ENDING = ".class";

  /** What needs no quoting in the agent's options, nor in any shell. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.?*]+");

  /** Characters of all patterns together; commands of some systems end at 8,191. */
  private static final int LONGEST = 4_000;

  private CoveredClasses() {}

  /**
   * Patterns of names of the classes below these folders, as JaCoCo's {@code includes} has them.
   * None, which means all classes, where there is no class or a folder cannot be read, where a name
   * would need quoting, or where there are too many packages.
   */
  public static List<String> patterns(Iterable<File> folders) {
    TreeSet<String> patterns = new TreeSet<>();
    for (File each : folders) {
      Path folder = each.toPath();
      if (!Files.isDirectory(folder)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
        files
            .filter(file -> file.getFileName().toString().endsWith(ENDING))
            .filter(file -> !file.endsWith("module-info.class"))
            .forEach(file -> add(folder.relativize(file), patterns));
      } catch (IOException | UncheckedIOException e) {
        return List.of();
      }
    }
    List<String> outermost =
        patterns.stream().filter(each -> !isBelow(each, patterns)).collect(Collectors.toList());
    boolean isPlain = outermost.stream().allMatch(each -> PLAIN.matcher(each).matches());
    return isPlain && String.join(":", outermost).length() <= LONGEST ? outermost : List.of();
  }

  private static void add(Path file, TreeSet<String> patterns) {
    Path folder = file.getParent();
    if (folder != null) {
      patterns.add(folder.toString().replace(File.separatorChar, '.') + ".*");
      return;
    }
    // Without a package: the class, and those in it. A shell would take their `$` for its own.
    String name = file.toString();
    String outer = name.substring(0, name.length() - ENDING.length()).replaceFirst("\\$.*", "");
    patterns.add(outer);
    patterns.add(outer + "?*");
  }

  /** Whether a package around it is among them. */
  private static boolean isBelow(String pattern, TreeSet<String> patterns) {
    int dot = pattern.lastIndexOf('.', pattern.lastIndexOf('.') - 1);
    while (dot > 0 && !patterns.contains(pattern.substring(0, dot) + ".*")) {
      dot = pattern.lastIndexOf('.', dot - 1);
    }
    return dot > 0;
  }
}
