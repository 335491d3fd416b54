package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code palus:explain} and {@code palusExplain} through real builds. */
@Tag("features")
class ExplainTest {
  private static final String METHOD = "  public int numNeighbors(City city) {\n";
  private static final String OVERLOAD =
      "  public boolean numNeighbors(City city, int least) {\n"
          + "    return numNeighbors(city) >= least;\n"
          + "  }\n\n";
  private static final List<String> BOTH =
      List.of("city.RoadMap#numNeighbors(City, int)", "city.RoadMap#numNeighbors(City)");

  @TempDir Path temp;

  private static ProjectHarness roadMap(Path temp) throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    harness.replace("src/main/java/city/RoadMap.java", METHOD, OVERLOAD + METHOD);
    return harness;
  }

  @Test
  void mavenExplainsOverloadsAndNamesWhatIsNearest() throws IOException {
    ProjectHarness harness = roadMap(temp);
    String goal = "palus:explain";
    Build early = maven(harness, goal, "-Dpalus.method=RoadMap#init").failed();
    assertTrue(early.output.contains("there was no run yet"), early.output);
    assertTrue(early.output.contains("Run `mvn palus:generate` first"), early.output);
    maven(harness, "palus:generate", "-Dpalus.budget=2000").succeeded();

    String both = "-Dpalus.method=RoadMap#numNeighbors";
    assertEquals(BOTH, explained(maven(harness, "-q", goal, both).succeeded()));
    String one = "-Dpalus.method=RoadMap#numNeighbors(City)";
    assertEquals(BOTH.subList(1, 2), explained(maven(harness, "-q", goal, one).succeeded()));
    assertNearest(maven(harness, goal, "-Dpalus.method=RoadMap#adCity").failed());
    Build none = maven(harness, goal).failed();
    assertTrue(none.output.contains("the setting `method` is missing"), none.output);
  }

  @Test
  void gradleExplainsOverloadsAndNamesWhatIsNearest() throws IOException {
    explainsOverloadsAndNamesWhatIsNearest("8.11.1", temp);
  }

  /** As every Gradle does. */
  static void explainsOverloadsAndNamesWhatIsNearest(String version, Path temp) throws IOException {
    ProjectHarness harness = roadMap(temp);
    Build early = gradle(version, harness, "--method", "RoadMap#init").failed();
    assertTrue(early.output.contains("there was no run yet"), early.output);
    assertTrue(early.output.contains("Run `gradle :palusGenerate` first"), early.output);
    Build.gradle(version, harness.folder, "palusGenerate").succeeded();

    Build both = gradle(version, harness, "--method", "RoadMap#numNeighbors").succeeded();
    assertEquals(BOTH, explained(both));
    Build one = gradle(version, harness, "-Ppalus.method=RoadMap#numNeighbors(City)").succeeded();
    assertEquals(BOTH.subList(1, 2), explained(one));
    assertNearest(gradle(version, harness, "--method", "RoadMap#adCity").failed());
  }

  private static void assertNearest(Build build) {
    assertTrue(build.output.contains("city.RoadMap has no method `adCity`"), build.output);
    assertTrue(build.output.contains("Nearest names: addCity,"), build.output);
  }

  /** The methods told of; the answer is all that a quiet build says. */
  private static List<String> explained(Build build) {
    List<String> lines = build.output.lines().collect(Collectors.toList());
    assertFalse(build.output.contains("[INFO]"), build.output);
    assertTrue(
        lines.stream().allMatch(line -> line.isBlank() || line.matches("(  |city\\.RoadMap#).*")),
        build.output);
    // What one overload covers may be covered by tests of others, which ask it what they changed.
    for (String row : List.of("  (tests|no test) .*", "  depends on .*", "  model .*")) {
      assertTrue(lines.stream().anyMatch(line -> line.matches(row)), row + build.output);
    }
    return lines.stream().filter(line -> line.startsWith("city.")).collect(Collectors.toList());
  }

  private static Build maven(ProjectHarness harness, String... arguments) {
    return Build.maven("3.9.9", harness.folder, arguments);
  }

  private static Build gradle(String version, ProjectHarness harness, String... arguments) {
    List<String> all = new ArrayList<>(List.of("-q", "palusExplain"));
    all.addAll(List.of(arguments));
    return Build.gradle(version, harness.folder, all.toArray(new String[0]));
  }
}
