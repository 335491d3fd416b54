package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code palus:generate} and bound goals through a real Maven; other versions of it: {@link
 * OtherVersionsTest}. What the newest Maven 3 does with the plainest project {@link ExamplesTest}
 * says, as the README's first commands are that.
 */
class MavenGenerateTest {
  private static final String NEWEST_3 = "3.9.9";
  private static final String BUDGET = "-Dpalus.budget=2000";

  @TempDir Path temp;

  @Test
  void testsAreWrittenThatSurefireThenRuns() throws IOException {
    writesTestsThatSurefireThenRuns(NEWEST_3, "road-map-junit4", temp);
  }

  /** As every Maven does. */
  static void writesTestsThatSurefireThenRuns(String version, String project, Path temp)
      throws IOException {
    ProjectHarness harness = ProjectHarness.copy(project, temp);
    harness.check(Build.maven(version, harness.folder, "palus:generate", BUDGET));
    int written = ProjectHarness.count(String.join("\n", harness.written().values()));
    Build tests = Build.maven(version, harness.folder, "test-compile", "palus:test").succeeded();
    assertEquals(written, run(tests), tests.output);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hanging-method",
        "exits-jvm",
        "deep-recursion",
        "allocates-everything",
        "no-public-constructor",
        "deletes-files",
        "no-tests-yet",
        "failing-existing-tests",
        "literal-arg-line",
        "jacoco-beside-us",
        "language-level-7",
        "planted-violations",
        "planted-theories",
        "no-junit",
        "loggers",
      })
  void theProjectIsServedAsItSays(String project) throws IOException {
    ProjectHarness harness = ProjectHarness.copy(project, temp);
    harness.check(Build.maven(NEWEST_3, harness.folder, "palus:generate", BUDGET));
  }

  @Test
  void workersAndAFolderWithSpacesAndUmlautsChangeNothing() throws IOException {
    ProjectHarness one = ProjectHarness.copy("road-map", temp, "one");
    ProjectHarness two = ProjectHarness.copy("road-map", temp, "path with spaces and ü");
    Build.maven(NEWEST_3, one.folder, "palus:generate", BUDGET, "-Dpalus.workers=1").succeeded();
    two.check(Build.maven(NEWEST_3, two.folder, "palus:generate", BUDGET, "-Dpalus.workers=2"));
    Map<String, String> written = one.written();
    assertFalse(written.isEmpty());
    assertEquals(written, two.written());
  }

  @Test
  void aSecondRunIsUpToDateAndEditedTestsAreLeftAlone() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    Build begun = Build.maven(NEWEST_3, harness.folder, "palus:generate", BUDGET).succeeded();
    Map<String, String> first = harness.written();
    Build second = Build.maven(NEWEST_3, harness.folder, "palus:generate", BUDGET).succeeded();
    assertTrue(second.output.contains("up to date, "), second.output);
    assertEquals(first, harness.written());

    String edited = first.keySet().iterator().next();
    Files.writeString(harness.folder.resolve(edited), first.get(edited) + "// mine\n");
    Build third = Build.maven(NEWEST_3, harness.folder, "palus:generate", BUDGET).succeeded();
    assertTrue(third.output.contains("is left alone"), third.output);
    assertTrue(harness.written().get(edited).endsWith("// mine\n"));
    assertEquals(coverage(begun), coverage(third), "it counts as a test of the user's");
  }

  /** What the console says of coverage. */
  private static String coverage(Build build) {
    Stream<String> lines = build.output.lines().filter(line -> line.contains("coverage  line "));
    return lines.findFirst().orElseThrow();
  }

  @Test
  void oneExecutionMakesVerifyTraceGenerateAndRun() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("automatic", temp);
    Build first = Build.maven(NEWEST_3, harness.folder, "verify", BUDGET);
    harness.check(first);
    int written = ProjectHarness.count(String.join("\n", harness.written().values()));
    String alphabetical = "-Dsurefire.runOrder=alphabetical";
    Build second =
        Build.maven(NEWEST_3, harness.folder, "verify", BUDGET, alphabetical).succeeded();
    assertEquals(written + 3, run(second), second.output);
    assertTrue(second.output.contains("up to date, "), second.output);
    assertEquals(
        List.of("city/GateTest.class", "city/LateCheck.class", "city/RoadMapTest.class"),
        classes(harness.folder.resolve("target/automatic-1-tests.jar")));

    harness.replace("src/main/java/city/Gate.java", "isOpen = true", "isOpen = false");
    Build changed = Build.maven(NEWEST_3, harness.folder, "test").succeeded();
    assertEquals(2, run(changed), changed.output);
    String said = written + " tests of the last run, all pass";
    assertTrue(changed.output.contains(said), changed.output);
    // The pom names a property that there is only because Palus makes it.
    Build.maven(NEWEST_3, harness.folder, "test", "-Dpalus.skip=true").succeeded();
  }

  @Test
  void testsThatRunInTheJvmOfTheBuildAreNotTracedAndNoCoverageOfTheirsIsMadeUp()
      throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    Build build =
        Build.maven(NEWEST_3, harness.folder, "palus:generate", BUDGET, "-DforkCount=0")
            .succeeded();
    assertFalse(harness.written().isEmpty(), build.output);
    assertTrue(coverage(build).contains("by written tests alone"), build.output);
  }

  @Test
  void skipDoesNothing() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    Build.maven(NEWEST_3, harness.folder, "palus:generate", "-Dpalus.skip=true").succeeded();
    assertTrue(harness.written().isEmpty());
    Build mistyped =
        Build.maven(NEWEST_3, harness.folder, "palus:generate", "-Dpalus.skip=ture").failed();
    assertTrue(mistyped.output.contains("`skip` has the value `ture`"), mistyped.output);
    Build unknown =
        Build.maven(NEWEST_3, harness.folder, "palus:generate", "-Dpalus.testTask=tset").failed();
    assertTrue(unknown.output.contains("`testTask` has the value `tset`"), unknown.output);
    assertTrue(unknown.output.contains("default-test, test"), unknown.output);
    assertTrue(harness.written().isEmpty());
  }

  /** Class files in a jar. */
  private static List<String> classes(Path jar) throws IOException {
    try (ZipFile file = new ZipFile(jar.toFile())) {
      return file.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.endsWith(".class"))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  /** Sums Surefire's totals, one per module. */
  private static int run(Build build) {
    Matcher matcher =
        Pattern.compile(
                "(?m)^(?:\\[\\S+] )*Tests run: (\\d+), Failures: 0, Errors: 0, Skipped: 0\\s*$")
            .matcher(build.output);
    int sum = 0;
    while (matcher.find()) {
      sum += Integer.parseInt(matcher.group(1));
    }
    return sum;
  }
}
