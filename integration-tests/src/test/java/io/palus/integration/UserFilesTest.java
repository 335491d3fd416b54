package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No run, and no written test that the build runs, touches a file of the user's, or leaves
 * something in its JVM that others meet.
 */
class UserFilesTest {
  private static final String MAVEN = "3.9.9";

  private static final String GRADLE = "8.11.1";

  @TempDir Path temp;
  private ProjectHarness harness;
  private Path home;
  private Path temporary;

  @Test
  void files_of_fixed_names_are_as_before_a_run_and_its_tests() throws IOException {
    plant();
    String folders = "-DargLine=-Duser.home=" + home + " -Djava.io.tmpdir=" + temporary;
    Map<String, String> before = texts(harness);

    Build generate =
        Build.maven(MAVEN, harness.folder, "palus:generate", "-Dpalus.budget=1500", folders);
    harness.check(generate);
    assertEquals(before, texts(harness), generate.output);

    Build tests =
        Build.maven(MAVEN, harness.folder, "test-compile", "palus:test", folders).succeeded();
    assertTrue(tests.output.contains("Running sample.WorkspacePalusTest"), tests.output);
    assertEquals(before, texts(harness), tests.output);
    assertHomeAndTemporaryFilesStand();
  }

  @Test
  void files_of_fixed_names_are_as_before_a_gradle_build_that_generates_and_runs_tests()
      throws IOException {
    plant();
    Map<String, String> before = texts(harness);
    String[] arguments = {
      "palusGenerate", "check", "-Phome=" + home, "-Ptemporary=" + temporary,
    };
    Build build = Build.gradle(GRADLE, harness.folder, arguments);
    harness.check(build);
    assertTrue(build.output.contains("> Task :palusTest\n"), build.output);
    Path report = harness.folder.resolve("build/test-results/palusTest");
    assertTrue(Files.exists(report.resolve("TEST-sample.WorkspacePalusTest.xml")), build.output);
    assertEquals(before, texts(harness), build.output);
    assertHomeAndTemporaryFilesStand();
  }

  /** The project, and files of the names that its code changes wherever it may look for them. */
  private void plant() throws IOException {
    harness = ProjectHarness.copy("touches-files", temp);
    home = Files.createDirectories(temp.resolve("home"));
    Files.writeString(home.resolve(".vaultrc"), "mine");
    temporary = Files.createDirectories(temp.resolve("tmp"));
    Files.createDirectories(temporary.resolve("vault-cache"));
    Files.writeString(temporary.resolve("vault-cache/entry"), "mine");
    Files.writeString(temporary.resolve("vault-report.xml"), "mine");
    for (String file : List.of("data/ledger.db", "vault-ledger/2024", "vault.properties")) {
      Path path = harness.folder.resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, "mine");
    }
  }

  private void assertHomeAndTemporaryFilesStand() throws IOException {
    assertEquals(Map.of(".vaultrc", "mine"), ProjectHarness.texts(home, "[^/]+"));
    assertEquals(
        Map.of("vault-cache/entry", "mine", "vault-report.xml", "mine"),
        ProjectHarness.texts(temporary, "vault-cache/.*|vault-report.xml"));
  }

  @Test
  void the_jvm_of_written_tests_lives_on_as_it_was() throws IOException {
    harness = ProjectHarness.copy("leaves-things", temp);
    Build generate = Build.maven(MAVEN, harness.folder, "palus:generate", "-Dpalus.budget=1000");
    harness.check(generate);
    int written = ProjectHarness.count(String.join("\n", harness.written().values()));
    // The last test waits until every alarm would have gone off.
    String last = Files.readString(harness.folder.resolve("src/test/java/sample/ZLastTest.java"));
    Files.writeString(
        harness.folder.resolve("target/generated-test-sources/palus/sample/ZLastPalusTest.java"),
        last.replace("class ZLastTest", "class ZLastPalusTest"));
    Build tests =
        Build.maven(
                MAVEN,
                harness.folder,
                "test-compile",
                "palus:test",
                "-Dwait=14000",
                "-Dsurefire.runOrder=alphabetical")
            .succeeded();
    assertTrue(tests.output.contains("Tests run: " + (written + 1) + ", F"), tests.output);
  }

  /** All that the user has below the project, without what the build writes. */
  private static Map<String, String> texts(ProjectHarness harness) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> all = Files.walk(harness.folder)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        String path = harness.folder.relativize(file).toString().replace('\\', '/');
        if (!path.matches("(target|build|\\.gradle)/.*")) {
          texts.put(path, Files.readString(file));
        }
      }
    }
    return texts;
  }
}
