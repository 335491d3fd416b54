package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.gradle.api.GradleException;
import org.gradle.api.Project;
import org.gradle.api.internal.TaskInternal;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceSetContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.commons.JUnitException;

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

  @Test
  void the_look_has_the_class_path_of_the_run_also_where_the_build_script_changes_it() {
    Project project = project("JOIN");
    org.gradle.api.tasks.testing.Test run =
        (org.gradle.api.tasks.testing.Test) project.getTasks().getByName("palusTest");
    run.setClasspath(project.files("conf").plus(run.getClasspath()));
    PalusCheck guard = (PalusCheck) project.getTasks().getByName("guardPalusTest");
    List<File> seen = List.copyOf(guard.getClassPath().getFiles());
    assertEquals(project.file("conf"), seen.get(0));
    List<File> wanted = new ArrayList<>(run.getClasspath().getFiles());
    SourceSet written =
        project.getExtensions().getByType(SourceSetContainer.class).getByName("palusTest");
    wanted.removeAll(written.getOutput().getFiles());
    assertEquals(wanted, seen);
  }

  @Test
  void they_are_looked_at_also_where_the_module_has_no_class() throws Exception {
    Project project = project("JOIN");
    PalusCheck guard = (PalusCheck) project.getTasks().getByName("guardPalusTest");
    guard.getClassPath().setFrom(place(Test.class), place(JUnitException.class));
    guard.check();
    Path written = guard.getOutputDirectory().get().getAsFile().toPath().resolve("APalusTest.java");
    Files.createDirectories(written.getParent());
    Files.writeString(
        written,
        "class APalusTest {\n  @org.junit.jupiter.api.Test\n  void wipes() {\n"
            + "    new java.io.File(\"ledger\").delete();\n  }\n}\n");
    Exception denied = assertThrows(GradleException.class, guard::check);
    assertTrue(denied.getMessage().contains("1 test of the last run fails"), denied.getMessage());
  }

  private static File place(Class<?> of) throws URISyntaxException {
    return new File(of.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private Project project(String automatic) {
    return EvaluatedProject.in(
        folder,
        p -> p.getExtensions().getByType(PalusExtension.class).getAutomatic().set(automatic));
  }
}
