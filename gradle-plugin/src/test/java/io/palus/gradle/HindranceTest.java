package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.gradle.api.InvalidUserDataException;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.internal.TaskInternal;
import org.gradle.api.tasks.testing.Test;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where Palus cannot work, the project's own tests run as without it. */
class HindranceTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"GENERATE", "JOIN"})
  void without_a_native_library_nothing_of_palus_runs_in_check(String automatic) {
    String architecture = System.setProperty("os.arch", "sparc");
    try {
      assertIsLeftAlone(project(automatic));
    } finally {
      System.setProperty("os.arch", architecture);
    }
  }

  @org.junit.jupiter.api.Test
  void where_the_folder_of_traces_is_a_link_no_test_leaves_anything_there() throws IOException {
    Path work = Files.createDirectories(folder.resolve("build")).resolve("palus");
    Files.createSymbolicLink(work, Files.createDirectory(folder.resolve("elsewhere")));
    Project project = project("GENERATE");
    assertIsLeftAlone(project);
    String why = hindrance(project);
    assertTrue(why.contains("the link " + work + " leads elsewhere. Delete the link"), why);
    // Who asks for tests hears it.
    CheckSettings check = (CheckSettings) project.getTasks().getByName("checkPalusSettings");
    assertTrue(reached(project, "palusGenerate").contains(check));
    assertThrows(InvalidUserDataException.class, check::check);
  }

  @org.junit.jupiter.api.Test
  void where_the_folder_of_traces_cannot_be_written_they_are_not_traced() throws IOException {
    Path work = Files.createFile(Files.createDirectories(folder.resolve("build")).resolve("palus"));
    Project project = project("GENERATE");
    assertIsLeftAlone(project);
    String why = hindrance(project);
    assertTrue(why.startsWith("cannot write to " + work), why);
    assertTrue(why.endsWith("Make the folder writable"), why);
  }

  @org.junit.jupiter.api.Test
  void what_fails_when_tests_begin_leaves_them_untraced_and_nothing_is_written_from_them()
      throws IOException {
    Files.createDirectories(folder.resolve(".gradle/palus/.palus-trace-lock")); // No file.
    Project project = project("GENERATE");
    Test test = (Test) project.getTasks().getByName("test");
    for (int i = 0; i < test.getActions().size(); i++) {
      if (i < 2 || i == test.getActions().size() - 1) { // Before and after Gradle's own one.
        test.getActions().get(i).execute(test);
      }
    }
    assertEquals(List.of(), test.getJvmArgumentProviders());
    assertFalse(isToRun(project, "palusGenerate"));
    assertFalse(isToRun(project, "keepPalusOutputs"));
    // Who asks for tests hears it.
    assertTrue(isToRun(project("GENERATE", "check", ":pGen"), "palusGenerate"));
    Test trace = (Test) project("JOIN").getTasks().getByName("palusTrace");
    assertThrows(InvalidUserDataException.class, () -> trace.getActions().get(0).execute(trace));
  }

  @org.junit.jupiter.api.Test
  void a_task_may_be_asked_for_by_parts_of_its_words() {
    for (String asked : List.of("palusGenerate", "pG", "palGen", "palusG")) {
      assertTrue(Asked.isShortFor(asked, "palusGenerate"), asked);
    }
    for (String asked : List.of("test", "check", "pA", "palusGenerateX", "-x", "")) {
      assertFalse(Asked.isShortFor(asked, "palusGenerate"), asked);
    }
  }

  private static void assertIsLeftAlone(Project project) {
    Set<Task> reached = reached(project, "check", "test");
    for (Task task : reached) {
      assertFalse(task instanceof EngineTask || task instanceof CheckSettings, task.toString());
    }
    Test test = (Test) project.getTasks().getByName("test");
    assertEquals(List.of(), test.getJvmArgumentProviders());
    Path work = project.getLayout().getBuildDirectory().get().getAsFile().toPath().resolve("palus");
    test.getOutputs().getFiles().forEach(out -> assertFalse(out.toPath().startsWith(work)));
    assertFalse(isToRun(project, "palusTest"));
    assertFalse(isToRun(project, "compilePalusTestJava"));
  }

  private static boolean isToRun(Project project, String name) {
    TaskInternal task = (TaskInternal) project.getTasks().getByName(name);
    return task.getOnlyIf().isSatisfiedBy(task);
  }

  private static String hindrance(Project project) {
    return Hindrance.ofTraces(project, project.getLayout().getBuildDirectory().dir("palus/trace"))
        .orElseThrow();
  }

  /** All that may run with these tasks. */
  private static Set<Task> reached(Project project, String... names) {
    Set<Task> reached = new HashSet<>();
    Arrays.stream(names).forEach(name -> reach(project.getTasks().getByName(name), reached));
    return reached;
  }

  private static void reach(Task task, Set<Task> reached) {
    if (reached.add(task)) {
      task.getTaskDependencies().getDependencies(task).forEach(each -> reach(each, reached));
      task.getFinalizedBy().getDependencies(task).forEach(each -> reach(each, reached));
    }
  }

  private Project project(String automatic, String... asked) {
    Project project = ProjectBuilder.builder().withProjectDir(folder.toFile()).build();
    project.getGradle().getStartParameter().setTaskNames(List.of(asked));
    project.getPluginManager().apply("java");
    project.getPluginManager().apply(PalusPlugin.class);
    project.getExtensions().getByType(PalusExtension.class).getAutomatic().set(automatic);
    EvaluatedProject.evaluate(project);
    return project;
  }
}
