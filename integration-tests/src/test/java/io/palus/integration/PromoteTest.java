package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promoted tests run with the project's own, count as existing, and are not written again. */
@Tag("features")
class PromoteTest {
  private static final String RATES = "src/main/java/sample/Rates.java";
  private static final String OWN = "src/test/java/sample/RatesGeneratedTest.java";

  @TempDir Path temp;

  private interface Tool {
    Build run(Path folder, String... arguments);
  }

  @Test
  void maven() throws IOException {
    Tool maven = (folder, arguments) -> Build.maven("3.9.9", folder, arguments);
    promotes(maven, "verify", "palus:promote", "-Dpalus.classes=sample.Rates");
  }

  @Test
  void gradle() throws IOException {
    Tool gradle = (folder, arguments) -> Build.gradle("8.11.1", folder, arguments);
    promotes(gradle, "check", "palusPromote", "-Ppalus.classes=sample.Rates");
  }

  private void promotes(Tool tool, String build, String... promote) throws IOException {
    ProjectHarness harness = ProjectHarness.copy("regression", temp);
    Path own = harness.folder.resolve(OWN);
    Build nothing = tool.run(harness.folder, promote).failed();
    assertTrue(nothing.output.contains("no written test of a class"), nothing.output);
    harness.check(tool.run(harness.folder, build));
    assertEquals(Set.of("CardPalusTest.java", "RatesPalusTest.java"), names(harness));
    String written = text(harness, "Rates");

    Build promoted = tool.run(harness.folder, promote).succeeded();
    assertEquals(Set.of("CardPalusTest.java"), names(harness), promoted.output);
    assertTrue(promoted.output.contains("of sample.Rates"), promoted.output);
    String text = Files.readString(own);
    assertEquals(ProjectHarness.count(written), ProjectHarness.count(text), text);
    assertTrue(text.contains("class RatesGeneratedTest"), text);
    assertTrue(text.contains("assertEquals(5, "), text);

    // Whoever deletes what was promoted has the tests again.
    Files.delete(own);
    Build deleted = tool.run(harness.folder, build).succeeded();
    assertTrue(names(harness).contains("RatesPalusTest.java"), deleted.output);
    tool.run(harness.folder, promote).succeeded();
    assertEquals(text, Files.readString(own));

    // The project's own test run has them, and nobody writes them once more.
    Build again = tool.run(harness.folder, build).succeeded();
    assertTrue(ranOwn(harness), again.output);
    assertFalse(text(harness, "").contains("assertEquals(5, "), again.output);
    assertEquals(text, Files.readString(own), again.output);

    harness.replace(RATES, "amount > 100 ? 5 : 1", "amount > 100 ? 7 : 1");
    Build red = tool.run(harness.folder, build).failed();
    assertTrue(red.output.contains("RatesGeneratedTest"), red.output);
    assertEquals(text, Files.readString(own), red.output);
  }

  @Test
  void the_maven_goal_moves_what_reaches_a_method() throws IOException {
    Tool maven = (folder, arguments) -> Build.maven("3.9.9", folder, arguments);
    chooses(maven, "verify", "palus:promote", "-Dpalus.covers=sample.Rates#fee");
  }

  @Test
  void the_gradle_task_moves_what_reaches_a_method() throws IOException {
    Tool gradle = (folder, arguments) -> Build.gradle("8.11.1", folder, arguments);
    chooses(gradle, "check", "palusPromote", "--covers", "sample.Rates#fee");
  }

  private void chooses(Tool tool, String build, String... promote) throws IOException {
    ProjectHarness harness = ProjectHarness.copy("regression", temp);
    harness.check(tool.run(harness.folder, build));
    int all = ProjectHarness.count(text(harness, "Rates"));
    Build promoted = tool.run(harness.folder, promote).succeeded();
    String own = Files.readString(harness.folder.resolve(OWN));
    String left = text(harness, "Rates");
    assertTrue(own.contains("void fee_"), own);
    // A test of another method may ask for a fee, too.
    assertTrue(left.contains("void isFree_") && !left.contains(".fee("), left);
    assertEquals(all, ProjectHarness.count(own) + ProjectHarness.count(left), promoted.output);
  }

  /** Names of the files of written tests. */
  private static Set<String> names(ProjectHarness harness) throws IOException {
    return harness.written().keySet().stream()
        .map(path -> path.substring(path.lastIndexOf('/') + 1))
        .collect(Collectors.toSet());
  }

  /** Written tests of the classes whose names begin so. */
  private static String text(ProjectHarness harness, String start) throws IOException {
    return harness.written().entrySet().stream()
        .filter(file -> file.getKey().contains("/sample/" + start))
        .map(Map.Entry::getValue)
        .collect(Collectors.joining("\n"));
  }

  private static boolean ranOwn(ProjectHarness harness) throws IOException {
    String report = ".*/TEST-sample\\.RatesGeneratedTest\\.xml";
    return !ProjectHarness.texts(harness.folder, report).isEmpty();
  }
}
