package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** README.md and the manual say it, and it is so: their own examples, on real projects. */
@Tag("features")
class ExamplesTest {
  private static final String MAVEN = "3.9.9";
  private static final String GRADLE = "8.11.1";
  private static final String BUDGET = "-Dpalus.budget=2000";
  private static final Pattern STATES = Pattern.compile("models?, (\\d+) states");

  @TempDir Path temp;

  @Test
  void every_example_has_a_test_and_every_test_its_example() {
    Set<String> tested = new TreeSet<>();
    for (Class<?> tests : List.of(ExamplesTest.class, EvaluateTest.class)) {
      for (Method method : tests.getDeclaredMethods()) {
        Example examples = method.getAnnotation(Example.class);
        if (examples != null) {
          assertTrue(method.isAnnotationPresent(Test.class), method.getName());
          tested.addAll(List.of(examples.value()));
        }
      }
    }
    assertEquals(Examples.all().keySet(), tested);
  }

  @Test
  @Example({"maven", "maven-run"})
  void the_quickstart_with_maven_needs_no_edit() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    harness.check(maven(harness, "maven"));
    int written = ProjectHarness.count(String.join("\n", harness.written().values()));
    assertTrue(written >= 5, written + " tests");
    Build run = maven(harness, "maven-run");
    assertTrue(run.output.contains("Tests run: " + written + ", Failures: 0"), run.output);
  }

  @Test
  @Example({"maven-repository", "gradle-repository"})
  void the_first_commands_need_nothing_but_the_repository() throws IOException {
    ProjectHarness maven = ProjectHarness.copy("road-map", temp, "maven");
    maven.replace("pom.xml", "  <build>\n", located("maven-repository") + "  <build>\n");
    for (String command : Examples.commands("maven", "mvn")) {
      // Without that profile the tests' own settings name no repository of Palus.
      Build.maven(MAVEN, maven.folder, ("-P!palus-build " + command + " " + BUDGET).split(" "))
          .succeeded();
    }
    assertFalse(maven.written().isEmpty());

    ProjectHarness gradle = ProjectHarness.copy("road-map", temp, "gradle");
    Path settings = gradle.folder.resolve("settings.gradle");
    Files.writeString(settings, located("gradle-repository") + "rootProject.name = 'road-map'\n");
    gradle(gradle, "gradle");
    assertFalse(gradle.written().isEmpty());
  }

  /** An example with the place of the repository that was built. */
  private static String located(String example) {
    String path = "/path/to/palus/build/repository";
    String text = Examples.text(example);
    assertTrue(text.contains(path), text);
    return text.replace(path, Build.REPOSITORY.toString());
  }

  @Test
  @Example("maven-bound")
  void the_execution_of_the_readme_makes_verify_write_and_run() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    harness.replace("pom.xml", "    <plugins>\n", "    <plugins>\n" + Examples.text("maven-bound"));
    Build.maven(MAVEN, harness.folder, "verify", BUDGET).succeeded();
    int written = ProjectHarness.count(String.join("\n", harness.written().values()));
    assertTrue(written >= 5, written + " tests");
    Build second = Build.maven(MAVEN, harness.folder, "verify", BUDGET).succeeded();
    String all = "Tests run: " + written + ", Failures: 0";
    assertTrue(second.output.contains(all), second.output);
  }

  @Test
  @Example({"gradle-plugins", "gradle", "settings", "cache"})
  void the_quickstart_with_gradle_and_its_settings() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    String plugins = "(?s)^plugins \\{.*?\\n}\\n";
    String script = Files.readString(harness.folder.resolve("build.gradle"));
    Matcher block = Pattern.compile(plugins).matcher(script);
    assertTrue(block.find(), script);
    harness.replace("build.gradle", block.group(), Examples.text("gradle-plugins"));

    Build first = gradle(harness, "gradle").get(0);
    assertTrue(harness.written().size() >= 2, first.output);

    // The trace and the classes are the same in all that follows.
    List<Build> builds = gradle(harness, "settings");
    for (Build build : builds) {
      Examples.assertPrinted("cache", build.output);
    }
    assertTrue(states(builds.get(1)) < states(first), "kTail merges states");
  }

  @Test
  @Example("modes")
  void a_mode_is_a_setting_of_both_plugins() throws IOException {
    ProjectHarness maven = ProjectHarness.copy("road-map", temp, "maven");
    maven(maven, "modes");
    ProjectHarness gradle = ProjectHarness.copy("road-map", temp, "gradle");
    gradle(gradle, "modes");
    assertEquals(texts(maven), texts(gradle), "both plugins write the same");
    // What was written with another mode would stay.
    ProjectHarness full = ProjectHarness.copy("road-map", temp, "full");
    gradle(full, "gradle");
    assertNotEquals(texts(maven), texts(full), "a mode leaves something out");
  }

  @Test
  @Example("search")
  void a_word_that_the_code_computes_is_found_by_search_alone() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("manual", temp);
    Files.writeString(
        harness.folder.resolve("src/main/java/sql/Door.java"),
        String.join(
            "\n",
            "package sql;",
            "public class Door {",
            "  public static int openings(String word) {",
            "    String wanted = new StringBuilder(\"emases\").reverse().toString();",
            "    if (word.equals(wanted)) return 1;",
            "    return 0;",
            "  }",
            "}"));
    Build.maven(MAVEN, harness.folder, "palus:generate", BUDGET).succeeded();
    assertTrue(texts(harness).get("DoorPalusTest.java").contains("\"sesame\""));
    // Where faults are goals, what was compared while one was on is tried too.
    for (String command : Examples.commands("search", "mvn")) {
      String anew = " -Dpalus.mutants=false -Dpalus.incremental=false ";
      String[] words = (command + anew + BUDGET).split(" ");
      Build.maven(MAVEN, harness.folder, words).succeeded();
    }
    assertFalse(texts(harness).get("DoorPalusTest.java").contains("\"sesame\""));
  }

  @Test
  @Example({"finding", "finding-test", "ignore", "baseline", "known"})
  void a_finding_is_shown_by_a_test_and_can_be_lived_with() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("manual", temp);
    String ignored = Examples.text("ignore");
    String annotation = "  @PalusIgnore(\"P101\") // like SQL's null\n";
    assertTrue(ignored.contains(annotation), ignored);
    String head = "package sql;\n\nimport io.palus.annotations.PalusIgnore;\n\n";
    Path source = harness.folder.resolve("src/main/java/sql/NeverEqual.java");
    Files.writeString(source, head + ignored.replace(annotation, ""));

    Build found = Build.maven(MAVEN, harness.folder, "palus:generate", BUDGET).succeeded();
    Examples.assertPrinted("finding", found.output);
    Path findings = harness.folder.resolve("target/palus/findings");
    Map<String, String> tests = ProjectHarness.texts(findings, ".*\\.java");
    assertTrue(
        tests.values().stream().anyMatch(text -> text.contains(Examples.text("finding-test"))),
        tests.toString());

    maven(harness, "baseline");
    assertTrue(Files.readString(harness.folder.resolve("palus-baseline.json")).contains("P101"));
    Build known = Build.maven(MAVEN, harness.folder, "palus:generate", BUDGET).succeeded();
    Examples.assertPrinted("known", known.output);

    Files.writeString(source, head + ignored);
    Build none = Build.maven(MAVEN, harness.folder, "palus:generate", BUDGET).succeeded();
    assertFalse(none.output.contains("findings  "), none.output);
  }

  @Test
  @Example({"theory", "theory-finding", "value", "value-used"})
  void theories_are_tried_and_values_are_used() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("manual", temp);
    Path tests = harness.folder.resolve("src/test/java/sql");
    Files.writeString(
        tests.resolve("StatementTheories.java"),
        "package sql;\n\nimport static org.junit.Assert.fail;\n\nimport org.junit.Assume;\n"
            + "import org.junit.experimental.theories.Theory;\n\n"
            + Examples.text("theory"));
    Files.writeString(
        tests.resolve("Queries.java"),
        "package sql;\n\nimport io.palus.annotations.ParamValue;\n\npublic class Queries {\n"
            + Examples.text("value")
            + "}\n");
    Build build = Build.maven(MAVEN, harness.folder, "palus:generate", BUDGET).succeeded();
    Examples.assertPrinted("theory-finding", build.output);
    String written = String.join("\n", harness.written().values());
    assertTrue(written.contains(Examples.text("value-used").strip()), written);
  }

  @Test
  @Example({"explain", "explained", "report"})
  void the_last_run_is_asked_about_a_method_and_leaves_a_report() throws IOException {
    ProjectHarness maven = ProjectHarness.copy("road-map", temp, "maven");
    Build.maven(MAVEN, maven.folder, "palus:generate", BUDGET).succeeded();
    Examples.assertPrinted("explained", maven(maven, "explain").output);
    ProjectHarness gradle = ProjectHarness.copy("road-map", temp, "gradle");
    Build.gradle(GRADLE, gradle.folder, "palusGenerate").succeeded();
    Examples.assertPrinted("explained", gradle(gradle, "explain").get(0).output);

    for (String file : Examples.text("report").split("\n")) {
      Path path = maven.folder.resolve("target/reports/palus").resolve(file.split(" ")[0]);
      assertTrue(Files.size(path) > 100, file);
    }
    Path page = maven.folder.resolve("target/reports/palus/classes/city.RoadMap.html");
    String html = Files.readString(page);
    assertTrue(html.contains("<svg class=\"model\""), "the model is drawn");
    assertTrue(html.contains("class=\"line covered\""), "what a test follows is dashed");
    assertTrue(html.contains("class=\"line state\""), "what depends on another state is there");
    assertTrue(html.contains("<table class=\"heat\">"), "the heat map is there");
  }

  @Test
  @Example({"progress", "quiet"})
  void a_long_stage_is_heard_of_and_nothing_under_quiet() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    // Its tests take seconds on any machine.
    Files.writeString(
        harness.folder.resolve("src/main/java/city/Stop.java"),
        String.join(
            "\n",
            "package city;",
            "public class Stop {",
            "  public static int at(int light) throws InterruptedException {",
            "    Thread.sleep(700);",
            "    switch (light) { case 1: return 1; case 2: return 2; case 3: return 3; }",
            "    return 0;",
            "  }",
            "}"));
    Build build = Build.maven(MAVEN, harness.folder, "palus:generate", BUDGET).succeeded();
    boolean isHeard =
        Examples.text("progress")
            .lines()
            .map(line -> line.replaceFirst(", ETA .*", "").replaceAll("\\d+", "\\\\d+"))
            .anyMatch(shape -> Pattern.compile(shape).matcher(build.output).find());
    assertTrue(isHeard, build.output);

    ProjectHarness other = ProjectHarness.copy("road-map", temp, "quiet");
    Build quiet = maven(other, "quiet");
    assertFalse(other.written().isEmpty());
    assertFalse(quiet.output.contains("verify  "), quiet.output);
    assertFalse(quiet.output.contains("wrote  "), quiet.output);
  }

  /** Runs the {@code mvn} lines of an example; the last of them. */
  private static Build maven(ProjectHarness harness, String example) {
    Build last = null;
    for (String command : Examples.commands(example, "mvn")) {
      last = Build.maven(MAVEN, harness.folder, (command + " " + BUDGET).split(" ")).succeeded();
    }
    return last;
  }

  /** Runs the {@code gradle} lines of an example. */
  private static List<Build> gradle(ProjectHarness harness, String example) {
    return Examples.commands(example, "gradle").stream()
        .map(command -> Build.gradle(GRADLE, harness.folder, command.split(" ")).succeeded())
        .collect(Collectors.toList());
  }

  private static int states(Build build) {
    Matcher matcher = STATES.matcher(build.output);
    assertTrue(matcher.find(), build.output);
    return Integer.parseInt(matcher.group(1));
  }

  /** Written tests by file name alone; the plugins write them to other folders. */
  private static Map<String, String> texts(ProjectHarness harness) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    harness
        .written()
        .forEach((path, text) -> texts.put(path.substring(path.lastIndexOf('/') + 1), text));
    return texts;
  }
}
