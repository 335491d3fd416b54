package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the code does is compared with what it did in another revision. */
@Tag("features")
class DiffTest {
  private static final String MAVEN = "3.9.9";
  private static final String GRADLE = "8.11.1";
  private static final String RATES = "src/main/java/sample/Rates.java";

  @TempDir Path temp;

  @Test
  void maven_tells_what_differs_from_a_revision_and_changes_nothing_of_it() throws Exception {
    ProjectHarness harness = changed();
    String unknown = "-Dpalus.since=nowhere";
    Build wrong = Build.maven(MAVEN, harness.folder, "palus:diff", unknown).failed();
    assertTrue(wrong.output.contains("there is no revision `nowhere`"), wrong.output);
    Build missing = Build.maven(MAVEN, harness.folder, "palus:diff").failed();
    assertTrue(missing.output.contains("`since` is missing"), missing.output);
    assertNothingRan(harness, "target/surefire-reports");
    Build build = Build.maven(MAVEN, harness.folder, "palus:diff", "-Dpalus.since=HEAD");
    see(harness, build.succeeded(), "target");
  }

  @Test
  void gradle_tells_what_differs_from_a_revision_and_changes_nothing_of_it() throws Exception {
    ProjectHarness harness = changed();
    Build wrong = Build.gradle(GRADLE, harness.folder, "palusDiff", "--since", "nowhere").failed();
    assertTrue(wrong.output.contains("there is no revision `nowhere`"), wrong.output);
    Build missing = Build.gradle(GRADLE, harness.folder, "palusDiff").failed();
    assertTrue(missing.output.contains("`since` is missing"), missing.output);
    assertNothingRan(harness, "build/test-results");
    Build build = Build.gradle(GRADLE, harness.folder, "palusDiff", "--since", "HEAD");
    see(harness, build.succeeded(), "build");
  }

  private static void assertNothingRan(ProjectHarness harness, String reports) {
    Path folder = harness.folder.resolve(reports);
    assertFalse(Files.exists(folder), () -> "the tests ran before the setting was looked at");
  }

  private void see(ProjectHarness harness, Build build, String folder) throws Exception {
    assertTrue(build.output.contains("1 class differs from HEAD, "), build.output);
    assertTrue(build.output.contains("sample.Rates#fee: before 5, now 7: "), build.output);
    Path report = harness.folder.resolve(folder).resolve("reports/palus/differences");
    String text = Files.readString(report.resolve("differences.md"));
    String row = "| <code>Rates#fee</code> | <code>5</code> | <code>7</code> |";
    assertTrue(text.contains(row), text);
    String json = Files.readString(report.resolve("differences.json"));
    assertFalse(json.contains("\"method\": \"isFree\""), json);
    String sarif = Files.readString(report.resolve("differences.sarif"));
    assertTrue(sarif.contains("\"uri\": \"" + RATES + "\""), sarif);
    assertTrue(harness.written().isEmpty(), "no test is written");
    assertEquals(" M " + RATES, git(harness, "status", "--porcelain").stripTrailing());
  }

  /** A project with one commit, and a change that is not committed. */
  private ProjectHarness changed() throws Exception {
    ProjectHarness harness = ProjectHarness.copy("regression", temp);
    Files.writeString(harness.folder.resolve(".gitignore"), "target\nbuild\n.gradle\n");
    git(harness, "init", "-q");
    git(harness, "add", ".");
    git(harness, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
    harness.replace(RATES, "amount > 100 ? 5 : 1", "amount > 100 ? 7 : 1");
    return harness;
  }

  private static String git(ProjectHarness harness, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", harness.folder.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), said);
    return said;
  }
}
