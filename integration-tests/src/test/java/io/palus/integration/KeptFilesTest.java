package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an earlier run verified and wrote are lost by no later run, however it ends. */
class KeptFilesTest {
  private static final String MAVEN = "3.9.9";

  @TempDir Path temp;

  @Test
  void a_second_build_waits_and_says_for_whom() throws Exception {
    ProjectHarness harness = ProjectHarness.copy("kept-files", temp);
    harness.check(
        Build.maven(
            MAVEN, harness.folder, "palus:generate", "-Dpalus.budget=1000", "-Dpalus.seed=0"));
    Path lock = harness.folder.resolve("target/generated-test-sources/palus/.palus-lock");
    Build.Running first = start(harness, 1);
    first.await(() -> Files.exists(lock));
    first.signal("STOP");
    Build.Running second = start(harness, 2);
    String said = "another run of Palus (process " + first.pid() + ") works in";
    try {
      second.await(() -> second.output().contains(said));
    } finally {
      first.signal("CONT");
    }
    Build one = first.end().succeeded();
    Build two = second.end().succeeded();
    assertFalse((one.output + two.output).contains("left alone"), two.output);
    assertFalse(Files.exists(lock), two.output);
    harness.check(two);
  }

  private static Build.Running start(ProjectHarness harness, int seed) {
    return Build.startMaven(
        MAVEN, harness.folder, "palus:generate", "-Dpalus.budget=1000", "-Dpalus.seed=" + seed);
  }
}
