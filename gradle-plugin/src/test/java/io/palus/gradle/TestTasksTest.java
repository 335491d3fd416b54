package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.gradle.api.InvalidUserDataException;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a build script says of our test tasks, and what runs before them. */
class TestTasksTest {
  @TempDir Path folder;
  private Project project;

  @BeforeEach
  void apply() {
    project = ProjectBuilder.builder().withProjectDir(folder.toFile()).build();
    project.getPluginManager().apply("java");
    project.getPluginManager().apply(PalusPlugin.class);
  }

  /** As when a build script has run to its end; running one needs an installed Gradle. */
  private void evaluate() {
    EvaluatedProject.evaluate(project);
  }

  private org.gradle.api.tasks.testing.Test test(String name) {
    return project.getTasks().named(name, org.gradle.api.tasks.testing.Test.class).get();
  }

  @Test
  void whatIsSetOnPalusTestItselfHolds() {
    project
        .getTasks()
        .withType(org.gradle.api.tasks.testing.Test.class)
        .configureEach(
            all -> {
              all.setMaxHeapSize("1g");
              all.jvmArgs("-Xint");
            });
    org.gradle.api.tasks.testing.Test users = test("test");
    users.setMaxHeapSize("2g");
    users.setMinHeapSize("64m");
    users.systemProperty("shared", "of test");
    org.gradle.api.tasks.testing.Test own = test("palusTest");
    own.setMinHeapSize("128m");
    own.jvmArgs("-Xss2m");
    own.systemProperty("shared", "own");
    own.environment("OWN", "1");
    evaluate();
    assertEquals("2g", own.getMaxHeapSize(), "only what is set on the task itself is its own");
    assertEquals("128m", own.getMinHeapSize());
    assertEquals(List.of("-Xint", "-Xss2m"), own.getJvmArgs());
    assertEquals("own", own.getSystemProperties().get("shared"));
    assertEquals("1", own.getEnvironment().get("OWN"));
    assertEquals("64m", test("palusTrace").getMinHeapSize());
  }

  @Test
  void theRevisionIsLookedForBeforeTestsAreTraced() {
    evaluate();
    CheckRevision check = (CheckRevision) project.getTasks().getByName("checkPalusRevision");
    Task diff = project.getTasks().getByName("palusDiff");
    assertTrue(diff.getTaskDependencies().getDependencies(diff).contains(check));
    Task traced = test("palusTrace");
    Set<? extends Task> before = traced.getMustRunAfter().getDependencies(traced);
    assertTrue(before.contains(check), before.toString());
    Exception missing = assertThrows(InvalidUserDataException.class, check::check);
    assertTrue(missing.getMessage().contains("`since` is missing"), missing.getMessage());
  }
}
