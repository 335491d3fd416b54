package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.host.PalusException;
import io.palus.host.Settings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.gradle.api.InvalidUserDataException;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.UnknownTaskException;
import org.gradle.api.tasks.compile.JavaCompile;
import org.gradle.api.tasks.testing.junitplatform.JUnitPlatformOptions;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wiring of tasks; that they do what they say is shown by the integration tests. */
class PalusPluginTest {
  @TempDir Path folder;

  private Project evaluated(Consumer<Project> buildScript) {
    return EvaluatedProject.in(folder, buildScript);
  }

  private static PalusExtension palus(Project project) {
    return project.getExtensions().getByType(PalusExtension.class);
  }

  private static org.gradle.api.tasks.testing.Test test(Project project, String name) {
    return project.getTasks().named(name, org.gradle.api.tasks.testing.Test.class).get();
  }

  static Set<String> dependencies(Project project, String task) {
    Task of = project.getTasks().getByName(task);
    return of.getTaskDependencies().getDependencies(of).stream()
        .map(Task::getName)
        .collect(Collectors.toSet());
  }

  private static boolean isTraced(org.gradle.api.tasks.testing.Test task) {
    return task.getJvmArgumentProviders().stream().anyMatch(p -> p instanceof TraceArguments);
  }

  @Test
  void withoutTheJavaPluginThereIsOnlyTheExtension() {
    Project project = ProjectBuilder.builder().withProjectDir(folder.toFile()).build();
    project.getPluginManager().apply(PalusPlugin.class);
    EvaluatedProject.evaluate(project);
    assertEquals("test", palus(project).getTestTask().get());
    assertThrows(UnknownTaskException.class, () -> project.getTasks().named("palusGenerate"));
  }

  @Test
  void foldersAreCheckedBeforeTestsAreTraced() throws IOException {
    File sources = folder.resolve("src/main/java").toFile();
    Files.createDirectories(sources.toPath());
    Project project = evaluated(p -> palus(p).getOutputDirectory().set(sources));
    // Whatever comes before the tests that are traced has ended well when these begin.
    assertTrue(dependencies(project, "palusTrace").contains("checkPalusSettings"));
    CheckSettings check = (CheckSettings) project.getTasks().getByName("checkPalusSettings");
    Exception refused = assertThrows(InvalidUserDataException.class, check::check);
    assertTrue(refused.getMessage().contains(sources.toString()), refused.getMessage());
    Settings checked = check.options();
    Map<String, File> expected =
        Map.of(
            "projectDirectory", project.getProjectDir(),
            "outputDirectory", sources,
            "sourceDirectory", sources,
            "findingsDirectory", project.file("build/palus/findings"),
            "workDirectory", project.file("build/palus/work"),
            "reportDirectory", project.file("build/reports/palus"),
            "classesDirectory", project.file("build/classes/java/main"),
            "testClassesDirectory", project.file("build/classes/java/test"));
    expected.forEach(
        (name, file) -> assertEquals(List.of(file.toString()), checked.values(name), name));
  }

  @Test
  void cleaningKeepsTestsThatWereEdited() throws IOException {
    Project project = evaluated(p -> {});
    PalusGenerate generate = (PalusGenerate) project.getTasks().getByName("palusGenerate");
    Path tests = generate.getOutputDirectory().get().getAsFile().toPath();
    Path report = generate.getReportDirectory().get().getAsFile().toPath();
    Path edited = Files.createDirectories(tests).resolve("ATest.java");
    Files.writeString(edited, "mine");
    Path page = Files.createDirectories(report).resolve("index.html");
    Files.writeString(page, "");
    CleanGenerate clean = (CleanGenerate) project.getTasks().getByName("cleanPalusGenerate");
    clean.clean();
    assertTrue(Files.exists(edited));
    assertFalse(Files.exists(page));
  }

  @Test
  void neitherCleaningNorTracingDeletesThroughALink() throws IOException {
    Project project = evaluated(p -> {});
    PalusGenerate generate = (PalusGenerate) project.getTasks().getByName("palusGenerate");
    Path others = Files.createDirectories(folder.resolve("elsewhere"));
    Path page = Files.writeString(others.resolve("index.html"), "mine");
    Path build = project.getLayout().getBuildDirectory().get().getAsFile().toPath();
    Path trace = Files.createDirectories(others.resolve("trace")).resolve("1.trace");
    Files.writeString(trace, "mine");
    Files.createSymbolicLink(
        Files.createDirectories(build.resolve("reports")).resolve("palus"), others);
    Files.createSymbolicLink(build.resolve("palus"), others);
    CleanGenerate clean = (CleanGenerate) project.getTasks().getByName("cleanPalusGenerate");
    Exception cleaning = assertThrows(InvalidUserDataException.class, clean::clean);
    assertTrue(cleaning.getMessage().contains("the link " + build.resolve("reports/palus")));
    // Before Gradle itself deletes the outputs of the task that traces.
    CheckSettings check = (CheckSettings) project.getTasks().getByName("checkPalusSettings");
    Exception checking = assertThrows(InvalidUserDataException.class, check::check);
    assertTrue(checking.getMessage().contains("the link " + build.resolve("palus")));
    File traces = generate.getTraceDirectory().get().getAsFile();
    Exception tracing =
        assertThrows(PalusException.class, () -> TraceFiles.clear(build.toFile(), traces));
    assertTrue(tracing.getMessage().contains("the link " + build.resolve("palus")));
    assertTrue(Files.exists(page) && Files.exists(trace));
  }

  @Test
  void joinRunsWrittenTestsInCheckAndGeneratesNothing() {
    Project project = evaluated(p -> {});
    assertTrue(dependencies(project, "check").contains("palusTest"));
    assertFalse(dependencies(project, "compilePalusTestJava").contains("palusGenerate"));
    assertTrue(dependencies(project, "palusGenerate").contains("palusTrace"));
    assertTrue(dependencies(project, "palusTrace").contains("checkPalusSettings"));
    assertFalse(isTraced(test(project, "test")));
    assertTrue(isTraced(test(project, "palusTrace")));
    assertFalse(isTraced(test(project, "palusTest")));
  }

  @Test
  void generateTracesTheProjectsOwnTestTask() {
    Project project = evaluated(p -> palus(p).getAutomatic().set("GENERATE"));
    assertTrue(dependencies(project, "check").contains("palusTest"));
    assertTrue(dependencies(project, "compilePalusTestJava").contains("palusGenerate"));
    assertTrue(dependencies(project, "palusGenerate").contains("test"));
    assertFalse(dependencies(project, "palusGenerate").contains("palusTrace"));
    assertTrue(dependencies(project, "test").contains("checkPalusSettings"));
    assertTrue(isTraced(test(project, "test")));
    assertFalse(isTraced(test(project, "palusTest")));
  }

  @Test
  void explainingReadsTheReportOfTheLastRunAndRunsNothing() {
    Project project = evaluated(p -> {});
    assertEquals(Set.of(), dependencies(project, "palusExplain"));
    PalusExplain explain = (PalusExplain) project.getTasks().getByName("palusExplain");
    PalusGenerate generate = (PalusGenerate) project.getTasks().getByName("palusGenerate");
    assertEquals(
        generate.getReportDirectory().get().getAsFile(),
        explain.getReportDirectory().get().getAsFile());
    explain.methodNamed("city.RoadMap#init");
    Exception e = assertThrows(InvalidUserDataException.class, explain::explain);
    assertTrue(e.getMessage().startsWith("there was no run yet"), e.getMessage());
    assertTrue(e.getMessage().endsWith("Run `gradle :palusGenerate` first"), e.getMessage());
  }

  @Test
  void whatChangedIsSaidWhereWrittenTestsFailOrDoNotCompile() {
    Project project = evaluated(p -> {});
    for (String name : List.of("compilePalusTestJava", "palusTest")) {
      Task task = project.getTasks().getByName(name);
      Set<? extends Task> after = task.getFinalizedBy().getDependencies(task);
      assertEquals(Set.of(project.getTasks().getByName("checkPalusTest")), after, name);
    }
    // The project's own tests run whatever becomes of written ones.
    Task compile = project.getTasks().getByName("compilePalusTestJava");
    assertEquals(
        Set.of(test(project, "test")), compile.getShouldRunAfter().getDependencies(compile));
  }

  @Test
  void offAndSkipLeaveCheckAlone() {
    assertFalse(
        dependencies(evaluated(p -> palus(p).getAutomatic().set(Automatic.OFF)), "check")
            .contains("palusTest"));
    Project skipped =
        evaluated(
            p -> {
              palus(p).getSkip().set(true);
              palus(p).getAutomatic().set("GENERATE");
            });
    assertFalse(dependencies(skipped, "check").contains("palusTest"));
    assertFalse(isTraced(test(skipped, "test")));
  }

  @Test
  void aWrongAutomaticNamesSettingValueAndWhatIsAllowed() {
    Exception e =
        assertThrows(
            InvalidUserDataException.class,
            () -> evaluated(p -> palus(p).getAutomatic().set("SOMETIMES")));
    assertEquals(
        "the setting `automatic` has the value `SOMETIMES`. Allowed: OFF, JOIN or GENERATE",
        e.getMessage());
  }

  @Test
  void anEmptyListIsToldFromNone() {
    Project none = evaluated(p -> {});
    assertEquals(List.of(), generate(none).getClasses().get());
    Project empty = evaluated(p -> palus(p).getClasses().set(List.of()));
    assertEquals(List.of(""), generate(empty).getClasses().get());
    Project two = evaluated(p -> palus(p).getClasses().set(List.of("a.*", "b.*")));
    assertEquals(List.of("a.*", "b.*"), generate(two).getClasses().get());
  }

  private static PalusGenerate generate(Project project) {
    return project.getTasks().named("palusGenerate", PalusGenerate.class).get();
  }

  @Test
  void aWrongTestTaskNamesTheTestTasks() {
    Exception e =
        assertThrows(
            InvalidUserDataException.class,
            () -> evaluated(p -> palus(p).getTestTask().set("slowTest")));
    String message = e.getMessage();
    assertTrue(message.startsWith("the setting `testTask` has the value `slowTest`"), message);
    assertTrue(message.endsWith("Allowed: test"), message);
  }

  @Test
  void theTracedRunIsLikeTheProjectsOwn() {
    Project project =
        evaluated(
            p ->
                p.getTasks()
                    .named("test", org.gradle.api.tasks.testing.Test.class)
                    .configure(
                        t -> {
                          t.useJUnitPlatform(o -> o.includeTags("fast"));
                          t.jvmArgs("-Xss2m");
                          t.systemProperty("a", "b");
                          t.environment("C", "d");
                          t.setMaxHeapSize("300m");
                          t.setMaxParallelForks(2);
                          t.setForkEvery(3L);
                          t.getFilter().includeTestsMatching("city.*");
                          t.exclude("**/Slow*");
                        }));
    org.gradle.api.tasks.testing.Test trace = test(project, "palusTrace");
    assertEquals(Set.of("fast"), ((JUnitPlatformOptions) trace.getOptions()).getIncludeTags());
    assertEquals(List.of("-Xss2m"), trace.getJvmArgs());
    assertEquals("b", trace.getSystemProperties().get("a"));
    assertEquals("d", trace.getEnvironment().get("C"));
    assertEquals("300m", trace.getMaxHeapSize());
    assertEquals(2, trace.getMaxParallelForks());
    assertEquals(3, trace.getForkEvery());
    assertEquals(Set.of("city.*"), trace.getFilter().getIncludePatterns());
    assertEquals(Set.of("**/Slow*"), trace.getExcludes());
    assertTrue(trace.getIgnoreFailures());
  }

  @Test
  void writtenTestsAllRunWhateverSelectsAmongTheProjectsOwn() {
    Project project =
        evaluated(
            p -> {
              p.getTasks()
                  .withType(org.gradle.api.tasks.testing.Test.class)
                  .configureEach(t -> t.useJUnitPlatform(o -> o.includeTags("fast")));
              test(p, "test").getFilter().includeTestsMatching("*UnitTest");
            });
    org.gradle.api.tasks.testing.Test run = test(project, "palusTest");
    assertEquals(Set.of(), ((JUnitPlatformOptions) run.getOptions()).getIncludeTags());
    assertEquals(Set.of(), run.getFilter().getIncludePatterns());
  }

  @Test
  void writtenTestsRunOneAfterAnotherWhateverTheProjectsOwnDo() {
    String parallel = "junit.jupiter.execution.parallel.enabled";
    Project project =
        evaluated(
            p -> {
              test(p, "test").systemProperty(parallel, "true");
              test(p, "test").systemProperty("mode", "test");
            });
    org.gradle.api.tasks.testing.Test run = test(project, "palusTest");
    assertEquals("false", run.getSystemProperties().get(parallel));
    assertEquals("test", run.getSystemProperties().get("mode"));
    assertEquals("true", test(project, "palusTrace").getSystemProperties().get(parallel));
  }

  @Test
  void whatIsSaidOfAllTestTasksIsSaidOnce() {
    Project project =
        evaluated(
            p ->
                p.getTasks()
                    .withType(org.gradle.api.tasks.testing.Test.class)
                    .configureEach(t -> t.jvmArgs("-javaagent:mock.jar")));
    assertEquals(List.of("-javaagent:mock.jar"), test(project, "palusTrace").getJvmArgs());
  }

  @Test
  void theProjectsOwnJacocoIsLeftToMeasure() {
    Project project = evaluated(p -> p.getPluginManager().apply("jacoco"));
    TraceArguments arguments =
        (TraceArguments)
            test(project, "palusTrace").getJvmArgumentProviders().stream()
                .filter(p -> p instanceof TraceArguments)
                .findFirst()
                .orElseThrow();
    assertFalse(arguments.getMeasuresCoverage().get());
    PalusGenerate generate = (PalusGenerate) project.getTasks().getByName("palusGenerate");
    File data = generate.getCoverageFiles().getSingleFile();
    assertEquals("palusTrace.exec", data.getName());
  }

  @Test
  void theCompilerOfWrittenTestsIsThatOfTheProjectsTests() {
    Project project =
        evaluated(
            p ->
                p.getTasks()
                    .named("compileTestJava", JavaCompile.class)
                    .configure(
                        t -> {
                          t.getOptions().getRelease().set(8);
                          t.getOptions().setEncoding("ISO-8859-1");
                          t.getOptions().setCompilerArgs(List.of("-Xlint:all", "-Xplugin:X"));
                        }));
    JavaCompile compile = (JavaCompile) project.getTasks().getByName("compilePalusTestJava");
    assertEquals(8, compile.getOptions().getRelease().get());
    assertEquals("ISO-8859-1", compile.getOptions().getEncoding());
    assertEquals(List.of("-Xlint:all", "-proc:none"), compile.getOptions().getCompilerArgs());
    PalusGenerate generate = (PalusGenerate) project.getTasks().getByName("palusGenerate");
    assertEquals(8, generate.getLanguageLevel().get());
    assertEquals(
        List.of("--release", "8", "-encoding", "ISO-8859-1", "-Xlint:all", "-proc:none"),
        generate.getCompilerArguments().get());
  }
}
