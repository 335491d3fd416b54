package io.palus.maven;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.maven.plugin.logging.Log;

/**
 * Whether Surefire takes a written class for a test, by the names the project's pom includes and
 * excludes.
 */
final class SurefireNames {
  private final List<String> includes;
  private final List<String> excludes;

  SurefireNames(List<String> includes, List<String> excludes) {
    this.includes = includes;
    this.excludes = excludes;
  }

  /** Warns once, with the line to add. */
  void check(Path root, List<Path> sources, Log log) {
    long missed =
        sources.stream()
            .map(source -> root.relativize(source).toString().replace(File.separatorChar, '/'))
            .filter(name -> !runs(name))
            .count();
    if (missed > 0) {
      log.warn(
          missed
              + " written test classes are not among those that maven-surefire-plugin includes;"
              + " add <include>**/*PalusTest.java</include> to its <includes>");
    }
  }

  /** Whether a source file's path relative to its root is included and not excluded. */
  boolean runs(String name) {
    boolean included = includes.isEmpty() || includes.stream().anyMatch(i -> matches(i, name));
    return included && excludes.stream().noneMatch(e -> matches(e, name));
  }

  /** Surefire's patterns: globs over paths, or a regular expression in {@code %regex[...]}. */
  static boolean matches(String pattern, String name) {
    String path = name.replaceAll("\\.java$", ".class");
    String glob = pattern.trim();
    if (glob.startsWith("%regex[") && glob.endsWith("]")) {
      return Pattern.compile(glob.substring(7, glob.length() - 1)).matcher(path).matches();
    }
    if (glob.startsWith("!")) {
      return false;
    }
    glob = glob.replaceAll("\\.(java|class)$", "").replace('\\', '/');
    if (!glob.contains("/")) {
      glob = glob.contains(".") ? glob.replace('.', '/') : "**/" + glob;
    }
    if (glob.endsWith("/")) {
      glob += "**";
    }
    return Pattern.compile(regex(glob)).matcher(path.replaceAll("\\.class$", "")).matches();
  }

  private static String regex(String glob) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      if (glob.startsWith("**/", i)) {
        regex.append("(?:.*/)?");
        i += 2;
      } else if (glob.startsWith("**", i)) {
        regex.append(".*");
        i++;
      } else if (glob.charAt(i) == '*') {
        regex.append("[^/]*");
      } else if (glob.charAt(i) == '?') {
        regex.append("[^/]");
      } else {
        regex.append(Pattern.quote(String.valueOf(glob.charAt(i))));
      }
    }
    return regex.toString();
  }
}
