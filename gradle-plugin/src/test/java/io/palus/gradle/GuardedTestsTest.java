package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import org.gradle.api.Project;
import org.gradle.api.internal.TaskInternal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether written tests of changed code run in the sandbox before. */
class GuardedTestsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"JOIN", "OFF", "GENERATE"})
  void written_tests_wait_for_the_sandbox(String automatic) {
    Set<String> before = PalusPluginTest.dependencies(project(automatic), "palusTest");
    assertTrue(before.contains("guardPalusTest"), before.toString());
  }

  @Test
  void where_palus_does_not_run_written_tests_are_left_out_and_nothing_asks_for_it() {
    String architecture = System.setProperty("os.arch", "sparc");
    try {
      Project project = project("JOIN");
      Set<String> before = PalusPluginTest.dependencies(project, "palusTest");
      assertFalse(before.contains("guardPalusTest"), before.toString());
      assertFalse(before.contains("checkPalusSettings"), before.toString());
      TaskInternal task = (TaskInternal) project.getTasks().getByName("palusTest");
      assertFalse(task.getOnlyIf().isSatisfiedBy(task));
    } finally {
      System.setProperty("os.arch", architecture);
    }
  }

  private Project project(String automatic) {
    return EvaluatedProject.in(
        folder,
        p -> p.getExtensions().getByType(PalusExtension.class).getAutomatic().set(automatic));
  }
}
