package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code palusGenerate} and {@code check} through real Gradle versions. */
class GradleGenerateTest {
  private static final String NEWEST = "8.11.1";

  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"road-map", "planted-violations"})
  void testsAreWrittenThatCheckThenRuns(String project) throws IOException {
    writesTestsThatCheckThenRuns(NEWEST, project, temp);
  }

  /** As every Gradle does. */
  static void writesTestsThatCheckThenRuns(String version, String project, Path temp)
      throws IOException {
    ProjectHarness harness = ProjectHarness.copy(project, temp);
    String cache = "--configuration-cache";
    // A user's first build fills it, and leaves a configuration cache that the second takes up.
    String own = "-Dpalus.cacheDirectory=" + temp.resolve("user-cache");
    // One project has a build for each of them; where that works, one of both tasks shows the rest
    // in half of the time.
    boolean isApart = project.equals("road-map");
    String[] both = {cache, own, "palusGenerate", "check"};
    String[] tasks = isApart ? new String[] {cache, own, "palusGenerate"} : both;
    harness.check(Build.gradle(version, harness.folder, tasks));
    Build second = Build.gradle(version, harness.folder, tasks).succeeded();
    assertTrue(second.output.contains("Reusing configuration cache"), second.output);
    assertTrue(found(":palusGenerate UP-TO-DATE", second.output), second.output);
    if (isApart) {
      Build.gradle(version, harness.folder, cache, own, "check").succeeded();
    }
    int written = ProjectHarness.count(String.join("\n", harness.written().values()));
    assertEquals(written, results(harness.folder, "palusTest"));
  }

  @Test
  void theSettingIsNamedThatAMisspeltOneIsNearest() throws IOException {
    namesTheSettingThatAMisspeltOneIsNearest(NEWEST, temp);
  }

  static void namesTheSettingThatAMisspeltOneIsNearest(String version, Path temp)
      throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    String[] misspelt = {"--configuration-cache", "palusGenerate", "-Ppalus.bugdet=5"};
    Build build = Build.gradle(version, harness.folder, misspelt).failed();
    assertTrue(build.output.contains("Did you mean `palus.budget`?"), build.output);
  }

  @Test
  void checkGeneratesWhenAutomaticSaysSo() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("automatic", temp);
    Build build = Build.gradle(NEWEST, harness.folder, "--warning-mode=all", "check");
    harness.check(build);
    int written = ProjectHarness.count(String.join("\n", harness.written().values()));
    assertEquals(written, results(harness.folder, "palusTest"));
    assertEquals(2, results(harness.folder, "test"), "the project's own tests ran, once");
    assertFalse(build.output.contains(":palusTrace"), build.output);
    assertFalse(build.output.contains("deprecated"), build.output);
  }

  @Test
  void twoClassLoadersOfOneBuildLoadTheLibrary() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("daemon-reload", temp);
    harness.check(Build.gradle(NEWEST, harness.folder, "palusGenerate"));
  }

  @Test
  void workersAndFolderChangeNothing() throws IOException {
    ProjectHarness one = ProjectHarness.copy("road-map", temp, "one");
    ProjectHarness two = ProjectHarness.copy("road-map", temp, "ein ü place");
    Build.gradle(NEWEST, one.folder, "palusGenerate").succeeded();
    Build.gradle(NEWEST, two.folder, "palusGenerate").succeeded();
    Map<String, String> written = one.written();
    assertFalse(written.isEmpty());
    assertEquals(written, two.written());
  }

  private static boolean found(String regex, String text) {
    return Pattern.compile(regex).matcher(text).find();
  }

  /** Tests in the XML reports of a test task, over all modules. */
  private static int results(Path folder, String task) throws IOException {
    int sum = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        boolean report = file.getFileName().toString().matches("TEST-.*\\.xml");
        if (report && file.getParent().endsWith("test-results/" + task)) {
          String text = Files.readString(file);
          sum += text.split("<testcase ", -1).length - 1;
        }
      }
    }
    return sum;
  }
}
