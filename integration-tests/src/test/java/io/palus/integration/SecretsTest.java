package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No secret of a build is in anything that Palus writes or says. */
class SecretsTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of("SAMPLE_TOKEN", "t0ken-0f-the-environment");

  /** What identifies each secret, also where it was cut. */
  private static final List<String> SECRETS =
      List.of(
          "t0ken-0f",
          "s3cr3t-from",
          "eyJhbGciOiJIUzI1NiJ9",
          "hunter22-of-the-command",
          "arg-f1le",
          "w1nter-0f");

  /** What build tools and Surefire say themselves of what they are given, at debug level. */
  private static final Pattern OTHERS =
      Pattern.compile(
          "^ +<(SAMPLE_REGION|db\\.password|upstream)>"
              + "|^\\[DEBUG\\] (env\\.|my\\.api-key: |nexus\\.password: |sun\\.java\\.command: )"
              + "|^\\[DEBUG\\]   \\(s\\) (environment|systemProperty)Variables = "
              + "|^\\[DEBUG\\] Setting (system property|environment variable) "
              + "|\\[org\\.gradle\\.process\\.internal\\.DefaultExecHandle\\] Starting process ");

  @TempDir Path temp;

  @Test
  void no_file_or_line_of_a_maven_build_holds_a_secret() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("secrets", temp);
    Build build =
        Build.maven(
            ENVIRONMENT,
            "3.9.9",
            harness.folder,
            "palus:generate",
            "-X",
            "-Dmy.api-key=hunter22-of-the-command",
            "-Dpalus.budget=2000");
    harness.check(build);
    // Surefire's own reports list all properties, and so do files that it keeps at debug level.
    assertNoSecret(harness.folder.resolve("target"), "surefire", build);
    assertPrivate(harness.folder.resolve("target/palus"));
    // With the variables that the build sets for its tests.
    Build.maven(Map.of(), "3.9.9", harness.folder, "test-compile", "palus:test").succeeded();
  }

  @Test
  void no_file_or_line_of_a_gradle_build_holds_a_secret() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("secrets", temp);
    Build build =
        Build.gradle(
            ENVIRONMENT,
            "8.11.1",
            harness.folder,
            "palusGenerate",
            "--debug",
            "-Dmy.api-key=hunter22-of-the-command");
    harness.check(build);
    assertNoSecret(harness.folder.resolve("build"), "none", build);
    assertPrivate(harness.folder.resolve("build/palus"));
    // With the variables that the build sets for its tests.
    Build.gradle(Map.of(), "8.11.1", harness.folder, "palusTest").succeeded();
  }

  private static void assertNoSecret(Path folder, String except, Build build) throws IOException {
    List<String> found = new ArrayList<>();
    int files = 0;
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        if (folder.relativize(file).toString().startsWith(except)) {
          continue;
        }
        files++;
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        for (String secret : SECRETS) {
          if (text.contains(secret)) {
            found.add(secret + " in " + folder.relativize(file));
          }
        }
      }
    }
    assertEquals(List.of(), found);
    assertTrue(files > 20, build.output);
    List<String> said = new ArrayList<>();
    for (String line : build.output.split("\n")) {
      if (SECRETS.stream().anyMatch(line::contains) && !OTHERS.matcher(line).find()) {
        said.add(line);
      }
    }
    assertEquals(List.of(), said);
  }

  private static void assertPrivate(Path folder) throws IOException {
    int traces = 0;
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) all::iterator) {
        String name = file.getFileName().toString();
        if (name.endsWith(".trace") || name.endsWith(".exec") || name.equals("models.cache")) {
          assertEquals("rw-------", rights(file), name);
          traces += name.endsWith(".trace") ? 1 : 0;
        } else if (name.equals("trace") || name.equals("work")) {
          assertEquals("rwx------", rights(file), name);
        }
      }
    }
    assertEquals(1, traces);
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
