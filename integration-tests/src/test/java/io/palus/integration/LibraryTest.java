package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commons Collections with the whole of its own suite through every build tool: {@code ./gradlew
 * :integration-tests:libraryTest}. It takes half an hour, so {@code check} leaves it out.
 */
@Tag("library")
class LibraryTest {
  private static final Path SUBJECTS = Path.of(System.getProperty("palus.subjects", "subjects"));
  private static final String BUDGET = "palus.budget=300";
  private static final Pattern COVERAGE =
      Pattern.compile("line ([0-9.]+) -> ([0-9.]+) % .* branch ([0-9.]+) -> ([0-9.]+) %");
  private static final Pattern TEST = Pattern.compile("(?m)^\\s*@Test\\b");
  private static final Pattern RUN =
      Pattern.compile("(?m)^\\S* ?Tests run: (\\d+), Failures: 0, Errors: 0, Skipped: 0\\s*$");

  @TempDir Path temp;
  private Path library;

  @BeforeEach
  void getLibrary() throws IOException, InterruptedException {
    library = temp.resolve("library");
    String script = SUBJECTS.resolve("get-subject.sh").toString();
    Process process =
        new ProcessBuilder(script, "commons-collections", library.toString()).inheritIO().start();
    assertEquals(0, process.waitFor());
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.8.7", "3.9.9", "4.0.0-rc-4"})
  void mavenCoversMoreAndSurefireRunsEveryTest(String version) throws IOException {
    Build first = Build.maven(version, library, "palus:generate", "-D" + BUDGET).succeeded();
    assertCoversMore(first);
    Build second = Build.maven(version, library, "palus:generate", "-D" + BUDGET).succeeded();
    assertTrue(second.output.contains("up to date, "), second.output);

    Build tests = Build.maven(version, library, "palus:test").succeeded();
    assertEquals(count(written()), run(tests), tests.output);
  }

  @ParameterizedTest
  @ValueSource(strings = {"7.6", "8.11.1"})
  void gradleCoversMoreAndCheckRunsEveryTest(String version) throws IOException {
    assertCoversMore(gradle(version, "palusGenerate").succeeded());
    Build second = gradle(version, "palusGenerate").succeeded();
    assertTrue(second.output.contains(":palusGenerate UP-TO-DATE"), second.output);
    gradle(version, "check").succeeded();
    assertEquals(count(written()), results());
  }

  @Test
  void workersChangeNothing() throws IOException {
    gradle("8.11.1", "palusGenerate", "-Ppalus.workers=1").succeeded();
    Map<String, String> one = written();
    delete(library.resolve("build/generated"));
    Build second = gradle("8.11.1", "palusGenerate", "-Ppalus.workers=2").succeeded();
    assertTrue(second.output.contains(":palusTrace UP-TO-DATE"), second.output);
    assertTrue(count(one) > 1000, second.output);
    Map<String, String> two = written();
    assertEquals(one.keySet(), two.keySet());
    two.forEach((file, text) -> assertEquals(one.get(file), text, file));
  }

  /** A build that knows of Palus by an init script alone. */
  private Build gradle(String version, String... arguments) throws IOException {
    Path script = temp.resolve("palus.gradle");
    Files.writeString(
        script,
        String.join(
            "\n",
            "initscript {",
            "  repositories { maven { url '" + Build.REPOSITORY.toUri() + "' }; mavenCentral() }",
            "  dependencies { classpath 'io.palus:palus-gradle-plugin:"
                + System.getProperty("palus.version")
                + "' }",
            "}",
            "allprojects { project -> pluginManager.withPlugin('java') {",
            "  project.pluginManager.apply(io.palus.gradle.PalusPlugin)",
            "} }"));
    String[] all = new String[arguments.length + 3];
    all[0] = "-I";
    all[1] = script.toString();
    all[2] = "-P" + BUDGET;
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return Build.gradle(version, library, all);
  }

  private static void assertCoversMore(Build build) {
    System.out.println(
        build.output.replaceAll("(?m)^(?!.*(trace|model|generate|verify|coverage) ).*\\R", ""));
    Matcher coverage = COVERAGE.matcher(build.output);
    assertTrue(coverage.find(), build.output);
    double[] percent = new double[4];
    for (int i = 0; i < 4; i++) {
      percent[i] = Double.parseDouble(coverage.group(i + 1));
    }
    assertTrue(percent[1] > percent[0] && percent[3] > percent[2], coverage.group());
  }

  /** By path, what stands in the folder of written tests. */
  private Map<String, String> written() throws IOException {
    Map<String, String> written = new TreeMap<>();
    Path maven = library.resolve("target/generated-test-sources/palus");
    Path gradle = library.resolve("build/generated/sources/palus");
    try (Stream<Path> files = Files.walk(Files.exists(maven) ? maven : gradle)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.getFileName().toString().endsWith("PalusTest.java")) {
          written.put(library.relativize(file).toString(), Files.readString(file));
        }
      }
    }
    return written;
  }

  private static int count(Map<String, String> written) {
    return (int) TEST.matcher(String.join("\n", written.values())).results().count();
  }

  /** Surefire's total. */
  private static int run(Build build) {
    return RUN.matcher(build.output)
        .results()
        .mapToInt(total -> Integer.parseInt(total.group(1)))
        .sum();
  }

  /** Tests in the XML reports of {@code palusTest}. */
  private int results() throws IOException {
    int sum = 0;
    try (Stream<Path> files = Files.list(library.resolve("build/test-results/palusTest"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.toString().endsWith(".xml")) {
          sum += Files.readString(file).split("<testcase ", -1).length - 1;
        }
      }
    }
    return sum;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(file);
      }
    }
  }
}
