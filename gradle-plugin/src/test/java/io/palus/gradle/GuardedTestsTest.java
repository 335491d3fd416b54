package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Set;
import org.gradle.api.Project;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether written tests of changed code run in the sandbox before. */
class GuardedTestsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"JOIN, true", "OFF, true", "GENERATE, false"}) // there palusGenerate does so
  void written_tests_wait_for_the_sandbox_unless_others_did(String automatic, boolean expected) {
    Project project =
        EvaluatedProject.in(
            folder,
            p -> p.getExtensions().getByType(PalusExtension.class).getAutomatic().set(automatic));
    Set<String> before = PalusPluginTest.dependencies(project, "palusTest");
    assertEquals(expected, before.contains("guardPalusTest"));
  }
}
