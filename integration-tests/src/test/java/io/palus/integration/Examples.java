package io.palus.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The fenced blocks of README.md and docs/. Above each stands {@code <!-- example: NAME -->}, under
 * which name a test takes it, or {@code <!-- not run: WHY -->}.
 */
final class Examples {
  private static final Path ROOT = Path.of(System.getProperty("palus.docs", "."));
  private static final Pattern BLOCK =
      Pattern.compile("(?m)^(?:<!-- (example|not run): (.+) -->\\n)?```\\w*\\n((?s:.*?)\\n)```$");

  private Examples() {}

  /** Text of an example. */
  static String text(String name) {
    String text = all().get(name);
    if (text == null) {
      throw new AssertionError("README.md and docs/ have no <!-- example: " + name + " -->");
    }
    return text;
  }

  /** Lines of an example that begin with this word, without it. */
  static List<String> commands(String name, String word) {
    return text(name)
        .lines()
        .map(line -> line.replaceFirst("^\\$ ", "").replaceFirst("\\s+# .*", ""))
        .filter(line -> line.startsWith(word + " "))
        .map(line -> line.substring(word.length() + 1))
        .collect(Collectors.toList());
  }

  /**
   * Fails unless the output has the lines of the example one after the other; {@code …} in a line
   * stands for anything.
   */
  static void assertPrinted(String name, String output) {
    String lines =
        text(name)
            .lines()
            .map(line -> "(?:\\[INFO\\] )?" + pattern(line) + "\\h*\\n")
            .collect(Collectors.joining());
    if (!Pattern.compile("(?m)^" + lines).matcher(output.replace("\r", "") + "\n").find()) {
      throw new AssertionError("the example says\n" + text(name) + "but it is\n" + output);
    }
  }

  /** What a line with {@code …} for anything stands for. */
  private static String pattern(String line) {
    return Stream.of(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
  }

  /** All examples by name; a block that says neither a name nor why it is not run is an error. */
  static Map<String, String> all() {
    Map<String, String> all = new TreeMap<>();
    for (Path page : pages()) {
      try {
        Matcher block = BLOCK.matcher(Files.readString(page));
        while (block.find()) {
          if (block.group(1) == null) {
            throw new AssertionError(
                page + ": no <!-- example: NAME --> above this block:\n" + block.group(3));
          }
          boolean isRun = block.group(1).equals("example");
          if (isRun && all.put(block.group(2), block.group(3)) != null) {
            throw new AssertionError(page + ": a second example named " + block.group(2));
          }
        }
      } catch (IOException failure) {
        throw new AssertionError("cannot read " + page, failure);
      }
    }
    return all;
  }

  private static Iterable<Path> pages() {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      TreeSet<Path> pages = new TreeSet<>(List.of(ROOT.resolve("README.md")));
      docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
      return pages;
    } catch (IOException failure) {
      throw new AssertionError("cannot list docs/", failure);
    }
  }
}
