package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import org.gradle.api.DefaultTask;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.internal.project.ProjectInternal;
import org.gradle.api.tasks.VerificationTask;
import org.gradle.testfixtures.ProjectBuilder;
import org.gradle.work.DisableCachingByDefault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which tasks of others leave written tests alone. */
class WrittenSourcesTest {
  @TempDir private Path folder;
  private Project project;

  /** A linter of classes, as SpotBugs is one. */
  @DisableCachingByDefault(because = "it does nothing")
  public abstract static class OfClasses extends DefaultTask implements VerificationTask {
    @Override
    public void setIgnoreFailures(boolean ignoreFailures) {}

    @Override
    public boolean getIgnoreFailures() {
      return false;
    }
  }

  @BeforeEach
  void project() {
    project = ProjectBuilder.builder().withProjectDir(folder.toFile()).build();
    project.getPluginManager().apply("java");
    project.getPluginManager().apply("checkstyle");
    project.getPluginManager().apply(PalusPlugin.class);
    for (String name : new String[] {"lintTest", "lintPalusTest"}) {
      project.getTasks().register(name, OfClasses.class);
    }
    project.getTasks().register("ownPalusTest", org.gradle.api.tasks.testing.Test.class);
    ((ProjectInternal) project)
        .getProjectEvaluationBroadcaster()
        .afterEvaluate(project, project.getState());
  }

  private Task task(String name) {
    return project.getTasks().getByName(name);
  }

  @Test
  void linters_of_sources_and_of_classes_are_off_for_written_tests_alone() {
    for (String name : new String[] {"checkstylePalusTest", "lintPalusTest"}) {
      assertFalse(task(name).getEnabled(), name);
    }
    for (String name : new String[] {"checkstyleTest", "lintTest", "ownPalusTest"}) {
      assertTrue(task(name).getEnabled(), name);
    }
    for (String name : new String[] {"compilePalusTestJava", "palusTest", "checkPalusTest"}) {
      assertTrue(task(name).getEnabled(), name);
    }
  }

  @Test
  void what_reads_written_tests_runs_after_what_writes_them() {
    Set<Task> writers = Set.of(task("palusGenerate"), task("palusAccept"));
    for (String name :
        new String[] {"compilePalusTestJava", "checkstylePalusTest", "lintPalusTest"}) {
      Task reader = task(name);
      assertTrue(reader.getMustRunAfter().getDependencies(reader).containsAll(writers), name);
    }
  }
}
