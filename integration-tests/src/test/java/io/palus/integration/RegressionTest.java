package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Code that behaves in another way than when tests were written fails the build, in every mode. */
class RegressionTest {
  private static final String MAVEN = "3.9.9";
  private static final String GRADLE = "8.11.1";
  private static final String RATES = "src/main/java/sample/Rates.java";
  private static final String CONSTANT = "amount > 100 ? 5 : 1";
  private static final String CHANGED = "amount > 100 ? 7 : 1";
  private static final String METHOD =
      "  public boolean isFree(int amount) {\n    return amount == 0;\n  }\n";

  /**
   * After this edit what a written test calls deletes a file, and what the project's own calls does
   * not.
   */
  private static final String HARMFUL =
      METHOD.replace(
          "    return",
          "    if (amount != 0) {\n"
              + "      new java.io.File(\"ledger.txt\").delete();\n"
              + "    }\n"
              + "    return");

  private static final String NAMED = "sample.Rates#fee: before 5, now 7; fee_";

  @TempDir Path temp;

  /** One way to build: its arguments for an ordinary build, and those that accept a change. */
  private record Way(String tool, List<String> ordinary, List<String> accepting, String report) {
    Build build(Path folder, String... more) {
      return run(folder, ordinary, more);
    }

    boolean isByHand() {
      return !ordinary.contains("verify") && !ordinary.contains("check");
    }

    /** Runs the tests of the last run and writes none. */
    Build look(Path folder, String failOnChange) {
      return tool.equals("mvn")
          ? Build.maven(MAVEN, folder, "palus:check", "-Dpalus.failOnChange=" + failOnChange)
          : Build.gradle(GRADLE, folder, "palusCheck", "-Ppalus.failOnChange=" + failOnChange);
    }

    Build run(Path folder, List<String> first, String... more) {
      List<String> arguments = new ArrayList<>(first);
      arguments.addAll(Arrays.asList(more));
      String[] all = arguments.toArray(new String[0]);
      return tool.equals("mvn")
          ? Build.maven(MAVEN, folder, all)
          : Build.gradle(GRADLE, folder, all);
    }
  }

  @Test
  void goals_bound_in_maven() throws IOException {
    ProjectHarness harness =
        loop(
            new Way(
                "mvn",
                List.of("verify"),
                List.of("palus:accept"),
                "target/reports/palus/report.json"));
    // Where Palus cannot work, the project's own tests run as without it.
    String unknown = "-Dos.arch=sparc";
    Build alone = Build.maven(MAVEN, harness.folder, "verify", unknown).succeeded();
    String said =
        "does nothing in this build, and no written test runs: Palus has no native library";
    assertEquals(2, alone.output.split(said, -1).length, alone.output);
    assertTrue(alone.output.contains("Running sample.RatesTest"), alone.output);
    assertFalse(alone.output.contains("PalusTest"), alone.output);
    Build asked = Build.maven(MAVEN, harness.folder, "palus:accept", unknown).failed();
    assertTrue(asked.output.contains("no native library for linux-sparc"), asked.output);
  }

  @Test
  @Tag("features")
  void maven_by_hand() throws IOException {
    loop(
        new Way(
            "mvn",
            List.of("palus:generate"),
            List.of("palus:accept"),
            "target/reports/palus/report.json"));
  }

  @Test
  void a_deleted_method_is_named_where_written_tests_run_alone() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("regression", temp);
    unbind(harness);
    harness.check(Build.maven(MAVEN, harness.folder, "palus:generate"));
    Path ledger = harms(harness);
    String[] alone = {"test-compile", "palus:test"};
    Build denied = Build.maven(MAVEN, harness.folder, alone).failed();
    String[] leftOut = {"test-compile", "palus:test", "-Dpalus.failOnChange=false"};
    Build told = Build.maven(MAVEN, harness.folder, leftOut).succeeded();
    // Nothing is accepted by running tests.
    String[] accepting = {"test-compile", "palus:test", "-Dpalus.accept"};
    Build accepts = Build.maven(MAVEN, harness.folder, accepting).succeeded();
    for (Build build : List.of(denied, told, accepts)) {
      assertTrue(Files.exists(ledger), build.output);
      assertTrue(build.output.contains("now it is denied File.delete"), build.output);
    }
    assertTrue(told.output.contains("none runs outside of it"), told.output);
    harness.replace(RATES, HARMFUL, METHOD);
    String[] unknown = {"test-compile", "palus:test", "-Dos.arch=sparc"};
    Build unguarded = Build.maven(MAVEN, harness.folder, unknown).succeeded();
    assertTrue(unguarded.output.contains("no native library for linux-sparc"), unguarded.output);
    assertFalse(unguarded.output.contains("Running sample.RatesPalusTest"), unguarded.output);
    delete(harness);
    Build red = Build.maven(MAVEN, harness.folder, alone).failed();
    assertTrue(red.output.contains("Rates has no method isFree(int)"), red.output);
    Build.maven(MAVEN, harness.folder, "test").succeeded();
  }

  @Test
  @Tag("features")
  void gradle_generate() throws IOException {
    loop(
        new Way(
            "gradle", List.of("check"), List.of("palusAccept"), "build/reports/palus/report.json"));
  }

  @Test
  @Tag("features")
  void gradle_by_hand() throws IOException {
    loop(
        new Way(
            "gradle",
            List.of("palusGenerate", "-Pmode=OFF"),
            List.of("palusAccept", "-Pmode=OFF"),
            "build/reports/palus/report.json"));
  }

  @Test
  void gradle_that_only_runs_written_tests_says_what_changed() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("regression", temp);
    String[] check = {"check", "-Pmode=JOIN", "--configuration-cache"};
    harness.check(Build.gradle(GRADLE, harness.folder, "palusGenerate", "-Pmode=JOIN"));
    Build green = Build.gradle(GRADLE, harness.folder, check).succeeded();
    assertTrue(green.output.contains(":checkPalusTest SKIPPED"), green.output);
    Map<String, String> before = harness.written();

    harness.replace(RATES, CONSTANT, CHANGED);
    Build changed = Build.gradle(GRADLE, harness.folder, check).failed();
    assertTrue(changed.output.contains(NAMED), changed.output);
    assertTrue(changed.output.contains("palusAccept"), changed.output);
    assertFalse(changed.output.contains("Where no change is named above"), changed.output);

    harness.replace(RATES, CHANGED, CONSTANT);
    Path ledger = harms(harness);
    Build denied = Build.gradle(GRADLE, harness.folder, check).failed();
    assertTrue(Files.exists(ledger), denied.output);
    assertTrue(denied.output.contains("now it is denied File.delete"), denied.output);
    // Nobody accepts an edited test, which is not replaced and would run.
    String rates =
        before.keySet().stream()
            .filter(path -> path.endsWith("/RatesPalusTest.java"))
            .findAny()
            .get();
    Files.writeString(harness.folder.resolve(rates), before.get(rates) + "// mine");
    String[] accepting = {"check", "-Pmode=GENERATE", "-Ppalus.accept"};
    Build edited = Build.gradle(GRADLE, harness.folder, accepting).failed();
    assertTrue(Files.exists(ledger), edited.output);
    assertTrue(edited.output.contains(":guardPalusTest FAILED"), edited.output);
    Files.writeString(harness.folder.resolve(rates), before.get(rates));
    harness.replace(RATES, HARMFUL, METHOD);

    // A JVM that cannot start: the code is as it was.
    String noRoom = "tasks.named('palusTest') { jvmArgs '-Xmx1k' }";
    String build = "build.gradle";
    String text = Files.readString(harness.folder.resolve(build));
    Files.writeString(harness.folder.resolve(build), text + noRoom);
    Build elsewhere = Build.gradle(GRADLE, harness.folder, check).failed();
    assertTrue(elsewhere.output.contains("Where no change is named above"), elsewhere.output);
    assertFalse(elsewhere.output.contains(NAMED), elsewhere.output);
    Files.writeString(harness.folder.resolve(build), text);

    delete(harness);
    for (String old : ProjectHarness.texts(harness.folder, ".*/TEST-.*xml").keySet()) {
      Files.delete(harness.folder.resolve(old));
    }
    Build gone = Build.gradle(GRADLE, harness.folder, check).failed();
    assertTrue(gone.output.contains("Rates has no method isFree(int)"), gone.output);
    // Of all that javac says there is one line, and none of its excerpts.
    assertTrue(gone.output.contains("error: cannot find symbol"), gone.output);
    assertFalse(gone.output.contains("symbol:"), gone.output);
    assertTrue(ranOwnTests(harness), gone.output);
    assertEquals(before, harness.written(), gone.output);
  }

  private ProjectHarness loop(Way way) throws IOException {
    ProjectHarness harness = ProjectHarness.copy("regression", temp);
    if (way.ordinary.contains("palus:generate")) {
      unbind(harness);
    }
    harness.check(way.build(harness.folder));
    Map<String, String> before = harness.written();
    assertTrue(text(harness).contains("assertEquals(5, "), text(harness));

    harness.replace(RATES, CONSTANT, CHANGED);
    if (way.isByHand()) {
      Build red = way.look(harness.folder, "true").failed();
      Build told = way.look(harness.folder, "false").succeeded();
      for (Build look : List.of(red, told)) {
        assertTrue(look.output.contains(NAMED), look.output);
      }
      assertEquals(before, harness.written(), told.output);
    }
    if (way.ordinary.contains("verify")) {
      // Tests alone see it too.
      Build alone = way.run(harness.folder, List.of("test")).failed();
      assertTrue(alone.output.contains(NAMED), alone.output);
    }
    // Where nobody looked before, a failed build is not to be the last one that fails.
    for (int time = way.isByHand() ? 1 : 0; time < 2; time++) {
      Build red = way.build(harness.folder).failed();
      assertTrue(red.output.contains(NAMED), red.output);
      assertTrue(red.output.contains("behaviour changed"), red.output);
      assertEquals(before, harness.written(), red.output);
    }
    String report = Files.readString(harness.folder.resolve(way.report));
    assertTrue(report.contains("\"now\": \"7\""), report);

    harness.replace(RATES, CHANGED, CONSTANT);
    Build reverted = way.build(harness.folder).succeeded();
    assertEquals(before, harness.written(), reverted.output);

    harness.replace(RATES, CONSTANT, CHANGED);
    Build accepted = way.run(harness.folder, way.accepting).succeeded();
    assertTrue(accepted.output.contains("accepted  " + NAMED), accepted.output);
    assertNotEquals(before, harness.written(), accepted.output);
    assertTrue(text(harness).contains("assertEquals(7, "), text(harness));
    assertFalse(text(harness).contains("assertEquals(5, "), text(harness));
    String card = before.keySet().stream().filter(path -> path.contains("Card")).findAny().get();
    assertEquals(before.get(card), harness.written().get(card), accepted.output);
    if (!way.isByHand()) {
      deleteMethod(way, harness);
    }
    return harness;
  }

  /** After a change was accepted. What runs by hand finds it as the ordinary build does. */
  private static void deleteMethod(Way way, ProjectHarness harness) throws IOException {
    Map<String, String> after = harness.written();
    delete(harness);
    Build gone = way.build(harness.folder).failed();
    assertTrue(gone.output.contains("Rates has no method isFree(int)"), gone.output);
    assertFalse(gone.output.contains("sample.Rates#fee"), "accepted is accepted: " + gone.output);
    assertFalse(gone.output.contains("COMPILATION ERROR"), gone.output);
    assertEquals(after, harness.written(), gone.output);
    assertTrue(ranOwnTests(harness), gone.output);
    if (way.ordinary.contains("verify")) {
      // The setting accepts it as well, in an ordinary build.
      way.build(harness.folder, "-Dpalus.accept").succeeded();
    } else {
      way.run(harness.folder, way.accepting).succeeded();
      way.build(harness.folder).succeeded();
    }
    assertFalse(text(harness).contains("isFree"), text(harness));
  }

  /** The method and what the project's own test says of it. */
  private static void delete(ProjectHarness harness) throws IOException {
    harness.replace(RATES, METHOD, "");
    harness.replace(
        "src/test/java/sample/RatesTest.java", "    assertTrue(new Rates().isFree(0));\n", "");
    harness.replace(
        "src/test/java/sample/RatesTest.java",
        "import static org.junit.jupiter.api.Assertions.assertTrue;\n",
        "");
  }

  /** Edits a method so that some written test would delete this file. */
  private static Path harms(ProjectHarness harness) throws IOException {
    harness.replace(RATES, METHOD, HARMFUL);
    return Files.writeString(harness.folder.resolve("ledger.txt"), "5 on account\n");
  }

  private static boolean ranOwnTests(ProjectHarness harness) throws IOException {
    try (Stream<Path> files = Files.walk(harness.folder)) {
      return files.anyMatch(
          file -> file.getFileName().toString().equals("TEST-sample.RatesTest.xml"));
    }
  }

  private static void unbind(ProjectHarness harness) throws IOException {
    for (String goal : List.of("prepare", "test", "generate-no-fork")) {
      harness.replace("pom.xml", "              <goal>" + goal + "</goal>\n", "");
    }
  }

  private static String text(ProjectHarness harness) throws IOException {
    return String.join("\n", harness.written().values());
  }
}
