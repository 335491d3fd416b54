package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gradle's task that traces: what holds for the task that it copies holds for it. */
class CopiedTestTaskTest {
  private static final String GRADLE = "8.11.1";
  private static final String OLDEST_GRADLE = "7.6";
  private static final String SECRET = "wJalrXUtnFEMIK7MDENG";

  /** A test that needs a folder, and nobody beside it there. */
  private static final String NEEDY =
      """
      package city;
      import java.nio.file.*;
      class NeedyTest {
        @org.junit.jupiter.api.Test
        void has_the_folder_for_itself() throws Exception {
          Path lock = Files.createFile(Paths.get(System.getenv("SCRATCH"), "lock"));
          Thread.sleep(3000);
          Files.delete(lock);
        }
      }
      """;

  private static final String SCRIPT =
      """

      def ran = file('server.log')
      tasks.register('startServer') { doLast { ran << 'started\\n' } }
      tasks.register('stopServer') { doLast { ran << 'stopped\\n' } }
      tasks.register('reportOfTests') { dependsOn 'test' }
      tasks.register('gate') { dependsOn 'reportOfTests'; doLast { ran << 'reported\\n' } }
      def isOn = providers.gradleProperty('scratch').present
      def isUp = file('server.log')
      test {
          onlyIf { isOn && ['true'].execute().waitFor() == 0 && isUp.text.contains('started') }
          dependsOn 'startServer'
          finalizedBy 'stopServer', 'gate', 'palusGenerate'
      }
      """;

  /** Makes all test tasks at once, and says late what the tests need. */
  private static final String LATE_SCRIPT =
      """

      tasks.withType(Test) { }
      afterEvaluate { test.systemProperty 'folder', 'late' }
      gradle.taskGraph.whenReady { test.environment 'SCRATCH', 'ready' }
      tasks.register('summary') {
          def results = file('build/test-results/test')
          doLast { results.listFiles().length }
      }
      test.finalizedBy 'summary'
      """;

  private static final String ASKING =
      """
      package city;
      class AskingTest {
        @org.junit.jupiter.api.Test
        void has_what_the_script_says() {
          String all = System.getProperty("folder") + " " + System.getenv("SCRATCH");
          org.junit.jupiter.api.Assertions.assertEquals("late ready", all);
        }
      }
      """;

  @TempDir Path temp;

  @Test
  void tests_run_only_where_their_task_would_with_what_is_around_it_and_in_the_environment_of_now()
      throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    Path script = harness.folder.resolve("build.gradle");
    Files.writeString(script, Files.readString(script) + SCRIPT);
    Files.writeString(harness.folder.resolve("src/test/java/city/NeedyTest.java"), NEEDY);
    String cache = "--configuration-cache";
    Build off = Build.gradle(GRADLE, harness.folder, cache, "palusGenerate").succeeded();
    assertTrue(off.output.contains("Task :palusTrace SKIPPED"), off.output);
    String said = ":test is switched off (`enabled` or `onlyIf`), so its tests are not traced";
    assertTrue(off.output.contains(said), off.output);

    Path log = harness.folder.resolve("server.log");
    Files.delete(log);
    String[] both = {cache, "-Pscratch", "test", "palusGenerate", "--rerun-tasks"};
    for (String name : List.of("first", "second")) {
      Path folder = Files.createDirectory(temp.resolve(name));
      Map<String, String> here = Map.of("SCRATCH", folder.toString());
      Build build = Build.gradle(here, GRADLE, harness.folder, both).succeeded();
      assertFalse(build.output.contains("left out of the trace"), build.output);
      assertEquals(
          name.equals("second"), build.output.contains("Reusing configuration cache"), name);
      Files.delete(folder);
    }
    // The report is of the task that is copied: it would run that.
    Files.delete(log);
    Path third = Files.createDirectory(temp.resolve("third"));
    Map<String, String> here = Map.of("SCRATCH", third.toString());
    String[] alone = {cache, "-Pscratch", "palusGenerate", "--rerun-tasks"};
    Build.gradle(here, GRADLE, harness.folder, alone).succeeded();
    assertEquals("started\nstopped\n", Files.readString(log));
  }

  @Test
  void what_a_script_sets_late_holds_for_our_tasks_and_nothing_is_stopped_that_nobody_started()
      throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    Path script = harness.folder.resolve("build.gradle");
    Files.writeString(script, Files.readString(script) + LATE_SCRIPT);
    Files.writeString(harness.folder.resolve("src/test/java/city/AskingTest.java"), ASKING);
    Build build = Build.gradle(GRADLE, harness.folder, "palusTrace").succeeded();
    assertFalse(build.output.contains("has_what_the_script_says"), build.output);
    assertFalse(build.output.contains(":summary"), build.output);
    String report = "build/test-results/palusTrace/TEST-city.AskingTest.xml";
    String ran = Files.readString(harness.folder.resolve(report));
    assertTrue(ran.contains("tests=\"1\" skipped=\"0\" failures=\"0\""), ran);
  }

  @Test
  void a_configuration_cache_holds_no_variable_that_nobody_asked_for() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("road-map", temp);
    Map<String, String> secret = Map.of("AWS_SECRET_ACCESS_KEY", SECRET);
    String[] arguments = {"--configuration-cache", "palusTrace", "palusTest"};
    Build.gradle(secret, OLDEST_GRADLE, harness.folder, arguments).succeeded();
    Path cache = harness.folder.resolve(".gradle/configuration-cache");
    try (var files = Files.walk(cache)) {
      List<Path> all = files.filter(Files::isRegularFile).toList();
      assertFalse(all.isEmpty());
      for (Path file : all) {
        String bytes = Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
        assertFalse(bytes.contains(SECRET), file.toString());
      }
    }
  }
}
