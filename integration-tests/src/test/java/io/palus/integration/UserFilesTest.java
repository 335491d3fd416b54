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

/** No run, and no written test that the build runs, touches a file of the user's. */
class UserFilesTest {
  private static final String MAVEN = "3.9.9";

  @TempDir Path temp;

  @Test
  void checkout_and_home_are_as_before_a_run_and_its_tests() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("touches-files", temp);
    Path home = Files.createDirectories(temp.resolve("home"));
    Files.writeString(home.resolve(".vaultrc"), "mine");
    for (String file : List.of("data/ledger.db", "vault-ledger/2024", "vault.properties")) {
      Path path = harness.folder.resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, "mine");
    }
    Map<String, String> before = texts(harness);

    Build generate =
        Build.maven(
            MAVEN,
            harness.folder,
            "palus:generate",
            "-Dpalus.budget=4000",
            "-DargLine=-Duser.home=" + home);
    harness.check(generate);
    assertEquals(before, texts(harness), generate.output);

    Build tests =
        Build.maven(
                MAVEN,
                harness.folder,
                "test-compile",
                "palus:add-tests",
                "surefire:test",
                "-DargLine=-Duser.home=" + home)
            .succeeded();
    assertTrue(tests.output.contains("Running sample.WorkspacePalusTest"), tests.output);
    assertEquals(before, texts(harness), tests.output);
    assertEquals(Map.of(".vaultrc", "mine"), ProjectHarness.texts(home, "[^/]+"));
  }

  /** All that the user has below the project, without what the build writes. */
  private static Map<String, String> texts(ProjectHarness harness) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> all = Files.walk(harness.folder)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        String path = harness.folder.relativize(file).toString().replace('\\', '/');
        if (!path.startsWith("target/")) {
          texts.put(path, Files.readString(file));
        }
      }
    }
    return texts;
  }
}
