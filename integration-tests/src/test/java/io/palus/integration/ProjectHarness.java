package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A copy of a project of {@code projects/} in a temporary folder, and what its {@code
 * expect.properties} says must hold after a run.
 *
 * <p>Keys: {@code exit = failure}; {@code tests.min}: written test methods; and, numbered, {@code
 * written} (a written file's path matches), {@code source} and {@code sourceAbsent} (written text
 * has, has not), {@code console} and {@code absent} (output has, has not), {@code file} (exists
 * below the project), {@code keeps} (unchanged file of the project), {@code creates-nothing} (no
 * such file name anywhere in the copy), {@code finding} (all that the folder of findings says).
 */
final class ProjectHarness {
  private static final Pattern TEST = Pattern.compile("(?m)^\\s*@Test\\b");
  private static final Pattern FINDING = Pattern.compile("(?m)^ +\\* (P\\d+: .*)\\.$");
  private static final Path PROJECTS = Path.of(System.getProperty("palus.projects", "projects"));

  final Path folder;
  private final Path original;
  private final Properties expected = new Properties();

  private ProjectHarness(Path original, Path folder) {
    this.original = original;
    this.folder = folder;
  }

  /** A copy for Gradle whose local build cache lies beside it, for others to take from. */
  static ProjectHarness cached(String name, Path temp, String folder) throws IOException {
    ProjectHarness harness = copy(name, temp, folder);
    Path settings = harness.folder.resolve("settings.gradle");
    String cache = "\nbuildCache { local { directory = '" + temp.resolve("cache") + "' } }\n";
    Files.writeString(settings, Files.readString(settings) + cache);
    return harness;
  }

  /** Copies a project into a folder of this name below {@code parent}. */
  static ProjectHarness copy(String project, Path parent, String name) throws IOException {
    Path original = PROJECTS.resolve(project);
    Path folder = parent.resolve(name);
    copyTree(original, folder);
    ProjectHarness harness = new ProjectHarness(original, folder);
    Path expectations = original.resolve("expect.properties");
    try (Reader reader = Files.newBufferedReader(expectations)) {
      harness.expected.load(reader);
    }
    return harness;
  }

  /** Copies a project into a folder of its own name. */
  static ProjectHarness copy(String project, Path parent) throws IOException {
    return copy(project, parent, project);
  }

  /**
   * Copies this copy, with all that builds left in it, into a folder of its name below this one.
   */
  ProjectHarness copyTo(Path parent) throws IOException {
    ProjectHarness harness =
        new ProjectHarness(original, parent.resolve(folder.getFileName().toString()));
    copyTree(folder, harness.folder);
    Build.takeRepositoryOf(folder, harness.folder);
    harness.expected.putAll(expected);
    return harness;
  }

  /** Checks every expectation against the run. */
  void check(Build build) throws IOException {
    boolean failure = "failure".equals(expected.getProperty("exit"));
    assertEquals(failure, build.status != 0, () -> "status " + build.status + ":\n" + build.output);
    Map<String, String> written = written();
    String text = String.join("\n", written.values());
    String context = build.output + "\n" + written.keySet();
    int least = Integer.parseInt(expected.getProperty("tests.min", "0"));
    assertTrue(count(text) >= least, () -> "at least " + least + " tests:\n" + context);
    each(
        "written",
        regex -> written.keySet().stream().anyMatch(path -> path.matches(regex)),
        context);
    each("source", regex -> found(regex, text), text);
    each("sourceAbsent", regex -> !found(regex, text), text);
    each("console", regex -> found(regex, build.output), context);
    each("absent", regex -> !found(regex, build.output), context);
    each("file", path -> Files.isRegularFile(folder.resolve(path)), context);
    each("keeps", this::isUnchanged, context);
    List<String> names = fileNames();
    each("creates-nothing", name -> !names.contains(name), context);
    if (expected.containsKey("finding.1")) {
      List<String> wanted = new ArrayList<>();
      each("finding", wanted::add, context);
      assertEquals(String.join("\n", wanted), String.join("\n", findings()), context);
    }
  }

  /** What the tests in the folder of findings say above themselves, sorted. */
  private List<String> findings() throws IOException {
    List<String> said = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String path = folder.relativize(file).toString().replace('\\', '/');
        if (path.contains("/palus/findings/") && path.endsWith("FindingsPalusTest.java")) {
          FINDING.matcher(Files.readString(file)).results().forEach(one -> said.add(one.group(1)));
        }
      }
    }
    said.sort(Comparator.naturalOrder());
    return said;
  }

  /** Text of every written test, by path below the project. */
  Map<String, String> written() throws IOException {
    return texts(folder, ".*/generated.*PalusTest\\.java");
  }

  /** Text of every file whose path below the folder matches, by that path. */
  static Map<String, String> texts(Path folder, String regex) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        String path = folder.relativize(file).toString().replace('\\', '/');
        if (path.matches(regex)) {
          texts.put(path, Files.readString(file));
        }
      }
    }
    return texts;
  }

  /** Puts another text in the place of one that a file has once. */
  void replace(String path, String text, String other) throws IOException {
    Path file = folder.resolve(path);
    String before = Files.readString(file);
    assertEquals(2, before.split(Pattern.quote(text), -1).length, () -> text + before);
    Files.writeString(file, before.replace(text, other));
  }

  /** Number of test methods in a text. */
  static int count(String text) {
    Matcher matcher = TEST.matcher(text);
    int count = 0;
    while (matcher.find()) {
      count++;
    }
    return count;
  }

  private void each(String key, Predicate<String> holds, String context) {
    for (int number = 1; expected.containsKey(key + "." + number); number++) {
      String value = expected.getProperty(key + "." + number);
      assertTrue(holds.test(value), () -> key + ": " + value + "\n" + context);
    }
    assertFalse(expected.containsKey(key), () -> key + " needs a number");
  }

  private boolean isUnchanged(String path) {
    try {
      return Files.mismatch(original.resolve(path), folder.resolve(path)) == -1;
    } catch (IOException missing) {
      return false;
    }
  }

  private List<String> fileNames() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    }
    return names;
  }

  private static boolean found(String regex, String text) {
    return Pattern.compile(regex, Pattern.MULTILINE).matcher(text).find();
  }

  private static void copyTree(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(folder).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            // With its time: by that a build tells what it has to do again.
            Path copy = to.resolve(from.relativize(file).toString());
            Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
