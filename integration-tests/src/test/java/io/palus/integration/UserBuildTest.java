package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The user's own build is the same with Palus and without, before it ran and after. */
class UserBuildTest {
  private static final String MAVEN = "3.9.9";
  private static final String OLDEST_MAVEN = "3.8.7";
  private static final String GRADLE = "8.11.1";
  private static final String OLDEST_GRADLE = "7.6";
  private static final String BUDGET = "-Dpalus.budget=2000";

  @TempDir Path temp;

  @Test
  void written_tests_run_where_palus_is_asked_for_and_nowhere_else() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    write(harness, "src/main/resources/whose.txt", "main");
    write(harness, "src/test/resources/whose.txt", "test");
    String enabled = "junit.jupiter.execution.parallel.enabled=true";
    write(harness, "src/test/resources/junit-platform.properties", enabled);
    harness.replace(
        "src/test/java/city/RoadMapTest.java",
        "    RoadMap map = RoadMap.genMap();\n",
        "    System.out.println(Thread.currentThread() instanceof"
            + " java.util.concurrent.ForkJoinWorkerThread ? \"in parallel\" : \"in turn\");\n"
            + "    RoadMap map = RoadMap.genMap();\n");
    Build.maven(MAVEN, harness.folder, "palus:generate", BUDGET).succeeded();
    int written = ProjectHarness.count(String.join("\n", harness.written().values()));
    Path own = harness.folder.resolve("target/test-classes");
    Map<String, Integer> before = files(own);
    String path = "target/generated-test-sources/palus/city/ResourcePalusTest.java";
    write(
        harness,
        path,
        String.join(
            "\n",
            "package city;",
            "public class ResourcePalusTest {",
            "  @org.junit.jupiter.api.Test",
            "  void what_the_tests_have_hides_what_the_classes_have() throws Exception {",
            "    new RoadMapTest().aRoadMakesNeighbors();",
            "    int first = getClass().getResourceAsStream(\"/whose.txt\").read();",
            "    org.junit.jupiter.api.Assertions.assertEquals('t', first);",
            "  }",
            "}"));
    Build both = Build.maven(MAVEN, harness.folder, "test", "palus:test").succeeded();
    assertTrue(both.output.contains("Tests run: 1, Failures: 0"), both.output);
    assertTrue(both.output.contains("Tests run: " + (written + 1) + ","), both.output);
    assertTrue(both.output.matches("(?s).*in parallel.*in turn.*"), both.output);
    assertEquals(before, files(own));
    assertEquals(
        List.of(
            "palus/surefire-reports/TEST-city.CityPalusTest.xml",
            "palus/surefire-reports/TEST-city.ResourcePalusTest.xml",
            "palus/surefire-reports/TEST-city.RoadMapPalusTest.xml",
            "surefire-reports/TEST-city.RoadMapTest.xml"),
        List.copyOf(
            ProjectHarness.texts(harness.folder.resolve("target"), ".*/TEST-.*\\.xml").keySet()));

    harness.replace(path, "'t'", "'m'");
    Build chosen =
        Build.maven(MAVEN, harness.folder, "test", "palus:test", "-Dtest=RoadMapTest").succeeded();
    assertFalse(chosen.output.contains("Running city.ResourcePalusTest"), chosen.output);
    String[] parallel = {"test-compile", "palus:test", "-D" + enabled};
    Build red = Build.maven(MAVEN, harness.folder, parallel).failed();
    assertTrue(red.output.contains("in turn"), red.output);
    assertFalse(red.output.contains("in parallel"), red.output);
    assertTrue(red.output.contains("ResourcePalusTest.what_the_tests_have"), red.output);

    // Written tests call this method: left-over ones would fail.
    harness.replace("src/main/java/city/City.java", "getName()", "name()");
    Build plain = Build.maven(MAVEN, harness.folder, "test").succeeded();
    assertTrue(plain.output.contains("Tests run: 1, Failures: 0"), plain.output);
    assertFalse(plain.output.contains("PalusTest"), plain.output);
  }

  @Test
  void gradle_without_its_history_deletes_nothing_and_knows_what_it_found() throws IOException {
    ProjectHarness gradle = ProjectHarness.copy("road-map", temp);
    String halts =
        "\ntasks.named('palusGenerate') {\n  if (project.hasProperty('halts')) {\n"
            + "    doFirst { Runtime.runtime.halt(3) }\n  }\n}\n";
    Path script = gradle.folder.resolve("build.gradle");
    Files.writeString(script, Files.readString(script) + halts);
    Build.gradle(OLDEST_GRADLE, gradle.folder, "palusGenerate").succeeded();
    List<Path> tests = new ArrayList<>();
    gradle.written().keySet().forEach(path -> tests.add(gradle.folder.resolve(path)));
    assertEquals(2, tests.size());
    Files.writeString(tests.get(0), Files.readString(tests.get(0)) + "// mine\n");
    Map<String, String> before = gradle.written();

    // Another version has another history. What a task does first comes after Gradle's cleaning.
    Build halted = Build.gradle(GRADLE, gradle.folder, "palusGenerate", "-Phalts").failed();
    assertEquals(3, halted.status, halted.output);
    assertEquals(before, gradle.written(), halted.output);
    Files.move(gradle.folder.resolve(".gradle"), temp.resolve("history"));
    Build whole = Build.gradle(GRADLE, gradle.folder, "palusGenerate").succeeded();
    assertEquals(before, gradle.written(), whole.output);
    Build same = Build.gradle(GRADLE, gradle.folder, "palusGenerate").succeeded();
    assertTrue(same.output.contains("> Task :palusGenerate UP-TO-DATE"), same.output);

    // That Gradle knows them: it sees that one is gone.
    Files.delete(tests.get(1));
    Build again = Build.gradle(GRADLE, gradle.folder, "palusGenerate").succeeded();
    assertFalse(again.output.contains("> Task :palusGenerate UP-TO-DATE"), again.output);
    Build.gradle(GRADLE, gradle.folder, "palusGenerate").succeeded();
    for (Path test : tests) {
      Files.deleteIfExists(test);
    }
    Build.gradle(GRADLE, gradle.folder, "keepPalusOutputs").succeeded();
    assertEquals(Map.of(), gradle.written());
    assertEquals(List.of(), markers(gradle.folder));
  }

  @Test
  void gradle_without_its_history_deletes_nothing_wherever_the_folder_of_tests_is()
      throws IOException {
    Path root = temp.resolve("root");
    Path users = Files.createDirectories(temp.resolve("users/tests"));
    Map<String, String> settings = new TreeMap<>();
    settings.put("linked", ""); // The folder of all generated sources is on another disk.
    settings.put("above", "palus.outputDirectory = layout.buildDirectory.dir('above/tests')");
    settings.put("cleaned", "palus.outputDirectory = file('src/palus')\nclean.delete 'src/palus'");
    settings.put("shared", "palus.outputDirectory = rootProject.layout.buildDirectory.dir('of')");
    List<Path> folders =
        List.of(
            temp.resolve("disk"), users, root.resolve("cleaned/src/palus"), root.resolve("build"));
    String halts =
        "tasks.named('palusGenerate') {\n  if (project.hasProperty('halts')) {\n"
            + "    doFirst { throw new GradleException('too late') }\n  }\n}\n";
    for (Map.Entry<String, String> each : settings.entrySet()) {
      Path script = ProjectHarness.copy("road-map", root, each.getKey()).folder;
      script = script.resolve("build.gradle");
      Files.writeString(script, Files.readString(script) + each.getValue() + "\n" + halts);
    }
    String names = "\ninclude '" + String.join("', '", settings.keySet()) + "'\n";
    String script = Files.readString(root.resolve("above/settings.gradle")) + names;
    Files.writeString(root.resolve("settings.gradle"), script);
    Files.writeString(root.resolve("build.gradle"), "plugins { id 'base' }\n");
    link(root.resolve("linked/build/generated"), Files.createDirectory(folders.get(0)));
    link(root.resolve("above/build/above"), users.getParent());
    Build.gradle(GRADLE, root, "palusGenerate").succeeded();
    List<Map<String, Integer>> before = new ArrayList<>();
    for (Path folder : folders) {
      Path test =
          folder.resolve(
              files(folder).keySet().stream()
                  .filter(path -> path.endsWith("PalusTest.java"))
                  .findFirst()
                  .get());
      Files.writeString(test, Files.readString(test) + "// mine\n");
      Files.writeString(test.resolveSibling("mine.txt"), "mine");
      before.add(files(folder));
    }

    Files.move(root.resolve(".gradle"), temp.resolve("history"));
    Build halted = Build.gradle(GRADLE, root, "palusGenerate", "-Phalts", "--continue").failed();
    assertEquals(folders.size(), halted.output.split("> too late", -1).length - 1, halted.output);
    for (int i = 0; i < folders.size(); i++) {
      assertEquals(before.get(i), files(folders.get(i)), halted.output);
    }

    // Where no run wrote, no marker of a run is to be: the user's files stay, and the run ends.
    Files.move(root.resolve(".gradle"), temp.resolve("second history"));
    Files.delete(users.resolve(".palus-manifest"));
    Files.delete(root.resolve("build/of/.palus-manifest"));
    Files.delete(folders.get(2).resolve(".palus-manifest"));
    before.clear();
    for (Path folder : folders) {
      before.add(files(folder));
    }
    Build refused = Build.gradle(GRADLE, root, "palusGenerate", "-Phalts", "--continue").failed();
    String said = "would delete the folder of `outputDirectory`";
    assertEquals(3, refused.output.split(said, -1).length - 1, refused.output);
    for (int i = 0; i < folders.size(); i++) {
      assertEquals(before.get(i), files(folders.get(i)), refused.output);
    }
  }

  private static void link(Path link, Path to) throws IOException {
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, to);
  }

  private static List<String> markers(Path folder) throws IOException {
    return List.copyOf(ProjectHarness.texts(folder, ".*/\\.palus-marker").keySet());
  }

  @Test
  void a_wrong_setting_ends_the_run_before_any_test_is_traced() throws IOException {
    ProjectHarness maven = ProjectHarness.copy("road-map", temp, "maven");
    String[] wrong = {
      "budget=many", "budgett=5", "classes=", "outputDirectory=target/reports/palus"
    };
    String[] said = {
      "`budget` has the value `many`",
      "Did you mean `palus.budget`?",
      "`classes` is empty",
      "`outputDirectory`"
    };
    for (int i = 0; i < wrong.length; i++) {
      Build build =
          Build.maven(MAVEN, maven.folder, "palus:generate", "-Dpalus." + wrong[i]).failed();
      assertTrue(build.output.contains(said[i]), build.output);
      boolean isListed = build.output.contains("llowed: a whole number");
      assertEquals(wrong[i].startsWith("budget="), isListed, build.output);
      assertFalse(Files.exists(maven.folder.resolve("target")), build.output);
    }
    String[] tests = {"palus:test", "-Dpalus.failOnChnage=false"};
    Build goal = Build.maven(MAVEN, maven.folder, tests).failed();
    assertTrue(goal.output.contains("Did you mean `palus.failOnChange`?"), goal.output);
    Build check = Build.maven(MAVEN, maven.folder, "palus:check", "-Dpalus.accept=yes").failed();
    assertTrue(check.output.contains("`accept` has the value `yes`"), check.output);
    assertFalse(Files.exists(maven.folder.resolve("target")), check.output);
    maven.replace("pom.xml", "  <properties>\n", "  <properties>\n<palus.sead>5</palus.sead>\n");
    Build pom = Build.maven(MAVEN, maven.folder, "palus:generate").failed();
    assertTrue(pom.output.contains("no setting `palus.sead`"), pom.output);
    maven.replace("pom.xml", "<palus.sead>5</palus.sead>", "");
    String plugin =
        "<plugin><groupId>io.palus</groupId><artifactId>palus-maven-plugin</artifactId>"
            + "<configuration><budgett>5</budgett></configuration></plugin>";
    maven.replace("pom.xml", "    <plugins>\n", "    <plugins>\n" + plugin);
    Build element = Build.maven(OLDEST_MAVEN, maven.folder, "palus:generate").failed();
    assertTrue(element.output.contains("Did you mean `<budget>`?"), element.output);

    ProjectHarness gradle = ProjectHarness.copy("road-map", temp, "gradle");
    wrong[0] = "seed=many"; // The build script sets the budget.
    said[0] = "`seed` has the value `many`";
    for (int i = 0; i < 3; i++) {
      String[] arguments = {"palusGenerate", "-Ppalus." + wrong[i], "-Dpalus.timeLimit=60"};
      Build build = Build.gradle(GRADLE, gradle.folder, arguments);
      assertTrue(build.failed().output.contains(said[i]), build.output);
      assertTrue(build.output.contains("say -Ppalus.timeLimit"), build.output);
      assertEquals(Map.of(), ProjectHarness.texts(gradle.folder, ".*/TEST-.*\\.xml"));
    }
    Files.writeString(gradle.folder.resolve("gradle.properties"), "palus.budgett=5\n");
    Build properties = Build.gradle(OLDEST_GRADLE, gradle.folder, "palusGenerate").failed();
    assertTrue(properties.output.contains(said[1]), properties.output);
  }

  @Test
  void tests_for_testng_go_on_running_and_none_that_run_by_mistake_is_an_error()
      throws IOException {
    ProjectHarness maven = ProjectHarness.copy("testng", temp, "maven");
    Build alone = Build.maven(MAVEN, maven.folder, "palus:generate", BUDGET);
    maven.check(alone);
    assertFalse(Files.exists(maven.folder.resolve("target/surefire-reports")), alone.output);

    // With JUnit alone Surefire leaves out the tests that are there.
    String jupiter =
        "<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>"
            + "<version>5.10.2</version><scope>test</scope></dependency>";
    maven.replace("pom.xml", "  <dependencies>\n", "  <dependencies>\n" + jupiter);
    Build none = Build.maven(MAVEN, maven.folder, "palus:generate", BUDGET).failed();
    assertTrue(none.output.contains("no test ran under the tracing agent"), none.output);
    assertTrue(none.output.contains("surefire-junit-platform alone"), none.output);

    // As the message says.
    StringBuilder both = new StringBuilder("<dependencies>");
    for (String provider : List.of("surefire-testng", "surefire-junit-platform")) {
      assertTrue(none.output.contains(provider), none.output);
      both.append("<dependency><groupId>org.apache.maven.surefire</groupId><artifactId>")
          .append(provider + "</artifactId><version>3.2.5</version></dependency>");
    }
    maven.replace("pom.xml", "<dependencies/>", both + "</dependencies>");
    Build.maven(MAVEN, maven.folder, "palus:generate", BUDGET).succeeded();
    assertFalse(maven.written().isEmpty());
    Build tests = Build.maven(MAVEN, maven.folder, "test", "palus:test").succeeded();
    assertTrue(tests.output.contains("Running sample.StackPalusTest"), tests.output);
    assertTrue(tests.output.contains("1, Failures: 0, Errors: 0, Skipped: 0"), tests.output);
    assertTrue(tests.output.contains("-- in sample.StackTest"), tests.output);
  }

  @Test
  void a_gradle_task_for_testng_stays_one_and_palus_runs_its_own_by_junit() throws IOException {
    ProjectHarness gradle = ProjectHarness.copy("testng", temp, "gradle");
    Build alone = Build.gradle(GRADLE, gradle.folder, "palusGenerate");
    gradle.check(alone);

    // As the message says, but with the task on JUnit, which leaves out the tests that are there.
    gradle.replace(
        "build.gradle",
        "'org.testng:testng:7.10.2'",
        "'org.testng:testng:7.10.2', 'org.junit.jupiter:junit-jupiter:5.10.2'");
    gradle.replace("build.gradle", "useTestNG()", "useJUnitPlatform()");
    Build none = Build.gradle(GRADLE, gradle.folder, "palusGenerate").failed();
    assertTrue(none.output.contains("no test ran under the tracing agent"), none.output);
    assertTrue(none.output.contains("`useTestNG()` runs TestNG's tests"), none.output);

    gradle.replace("build.gradle", "useJUnitPlatform()", "useTestNG()");
    Build.gradle(GRADLE, gradle.folder, "palusGenerate").succeeded();
    Build check = Build.gradle(GRADLE, gradle.folder, "check").succeeded();
    String results = ".*/test-results/(test|palusTest)/TEST-.*Test\\.xml";
    assertEquals(
        List.of(
            "build/test-results/palusTest/TEST-sample.StackPalusTest.xml",
            "build/test-results/test/TEST-sample.StackTest.xml"),
        List.copyOf(ProjectHarness.texts(gradle.folder, results).keySet()),
        check.output);
  }

  private static void write(ProjectHarness harness, String path, String text) throws IOException {
    Path file = harness.folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Every file below a folder of the project, with a hash of its content. */
  private static Map<String, Integer> files(Path folder) throws IOException {
    Map<String, Integer> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        files.put(folder.relativize(file).toString(), Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return files;
  }
}
