package io.palus.gradle;

import java.io.File;
import java.util.List;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.Directory;
import org.gradle.api.plugins.JavaBasePlugin;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.Provider;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceSetContainer;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.compile.JavaCompile;
import org.gradle.api.tasks.testing.Test;
import org.gradle.testing.jacoco.plugins.JacocoTaskExtension;

/**
 * The tasks of one project and how they hang together.
 *
 * <p>{@code palusTrace → palusGenerate}, and apart from it {@code compilePalusTestJava → palusTest
 * → check}. Written tests have a source set of their own: in {@code test}'s, compiling would need
 * generating, which needs the tests compiled.
 */
final class PalusTasks {
  private static final String GROUP = "verification";
  private static final String PALUS_TEST = "palusTest";

  private final Project project;
  private final PalusExtension extension;
  private final SourceSetContainer sourceSets;
  private final SourceSet main;
  private final SourceSet test;
  private final SourceSet written;
  private final Provider<Directory> traces;
  private TaskProvider<Test> trace;
  private TaskProvider<Test> run;
  private TaskProvider<PalusGenerate> generate;

  PalusTasks(Project project, PalusExtension extension) {
    this.project = project;
    this.extension = extension;
    this.sourceSets = project.getExtensions().getByType(SourceSetContainer.class);
    this.main = sourceSets.getByName(SourceSet.MAIN_SOURCE_SET_NAME);
    this.test = sourceSets.getByName(SourceSet.TEST_SOURCE_SET_NAME);
    this.written = sourceSets.create(PALUS_TEST);
    this.traces = project.getLayout().getBuildDirectory().dir("palus-trace");
  }

  /** What does not depend on settings. */
  void register() {
    trace =
        project
            .getTasks()
            .register(
                "palusTrace",
                Test.class,
                task -> {
                  task.setGroup(GROUP);
                  task.setDescription("Runs the tests once more, under the tracing agent.");
                  task.setIgnoreFailures(true);
                  task.getReports().getHtml().getRequired().set(false);
                  task.onlyIf(new NotSkipped(extension.getSkip()));
                });
    generate =
        project
            .getTasks()
            .register(
                "palusGenerate",
                PalusGenerate.class,
                task -> {
                  task.setGroup(GROUP);
                  task.setDescription("Learns from the traced tests and writes new ones.");
                  configure(task);
                });
    run =
        project
            .getTasks()
            .register(
                PALUS_TEST,
                Test.class,
                task -> {
                  task.setGroup(GROUP);
                  task.setDescription("Runs the tests that Palus wrote.");
                  task.setTestClassesDirs(written.getOutput().getClassesDirs());
                  task.setClasspath(written.getRuntimeClasspath());
                  task.onlyIf(new NotSkipped(extension.getSkip()));
                });
    written.getJava().setSrcDirs(List.of());
    written.getResources().setSrcDirs(List.of());
    // What the engine verified the tests with, in the same order.
    written.setCompileClasspath(test.getRuntimeClasspath().plus(test.getCompileClasspath()));
    written.setRuntimeClasspath(written.getOutput().plus(test.getRuntimeClasspath()));
    project
        .getTasks()
        .named(written.getCompileJavaTaskName(), JavaCompile.class)
        .configure(task -> copyCompilerSettings(task));
  }

  private void configure(PalusGenerate task) {
    task.getClasses().set(extension.getClasses());
    task.getExcludes().set(extension.getExcludes());
    task.getBudget().set(extension.getBudget());
    task.getTimeLimit().set(extension.getTimeLimit());
    task.getSeed().set(extension.getSeed());
    task.getWorkers().set(extension.getWorkers());
    task.getWorkerMemory().set(extension.getWorkerMemory());
    task.getFramework().set(extension.getFramework());
    task.getProjectName().set(project.getName());
    task.getProjectDirectory().set(project.getLayout().getProjectDirectory());
    task.getClassesDirectories().from(main.getOutput().getClassesDirs());
    task.getSourceDirectories().from(main.getJava().getSourceDirectories());
    CompilerArguments arguments = new CompilerArguments(compileTests());
    task.getCompilerArguments().set(project.provider(arguments));
    task.getLanguageLevel().set(project.provider(arguments::languageLevel));
    task.getOutputDirectory().set(extension.getOutputDirectory());
    task.getWorkDirectory().set(project.getLayout().getBuildDirectory().dir("palus"));
    task.getReportDirectory().set(project.getLayout().getBuildDirectory().dir("reports/palus"));
    task.onlyIf(new NotSkipped(extension.getSkip()));
  }

  /** What depends on settings. */
  void connect(String automatic, TaskProvider<Test> traced) {
    boolean generates = automatic.equals("GENERATE");
    // No second run where `check` runs the tests anyway.
    TaskProvider<Test> source = generates ? traced : trace;
    if (!generates) {
      trace.configure(task -> copy(traced.get(), task));
    }
    source.configure(this::attach);
    trace.configure(task -> task.setEnabled(!generates));
    generate.configure(task -> connect(task, source));
    run.configure(task -> TestCopy.settings(traced.get(), task));
    if (generates) {
      written.getJava().srcDir(generate.flatMap(PalusGenerate::getOutputDirectory));
    } else {
      written.getJava().srcDir(extension.getOutputDirectory());
      project
          .getTasks()
          .named(written.getCompileJavaTaskName())
          .configure(task -> task.mustRunAfter(generate));
    }
    if (!automatic.equals("OFF")) {
      project
          .getTasks()
          .named(JavaBasePlugin.CHECK_TASK_NAME)
          .configure(check -> check.dependsOn(run));
    }
  }

  private void copy(Test from, Test to) {
    to.setTestClassesDirs(from.getTestClassesDirs());
    to.setClasspath(from.getClasspath());
    TestCopy.settings(from, to);
    TestCopy.selection(from, to);
  }

  private void attach(Test task) {
    TraceArguments arguments = project.getObjects().newInstance(TraceArguments.class);
    arguments.getTraceDirectory().set(traces);
    arguments.getOptionsFile().set(new File(task.getTemporaryDir(), "agent.properties"));
    arguments.getMeasuresCoverage().set(!hasJacoco());
    task.getJvmArgumentProviders().add(arguments);
    task.getOutputs().dir(traces).withPropertyName("palusTraces");
    ConfigurableFileCollection classes = project.files(main.getOutput().getClassesDirs());
    task.doFirst(
        new PrepareTrace(arguments, classes, task.getTestClassesDirs(), project.getProjectDir()));
    task.doLast(
        new RecordRun(
            arguments.getTraceDirectory(), task.getReports().getJunitXml().getOutputLocation()));
  }

  private void connect(PalusGenerate task, TaskProvider<Test> source) {
    task.dependsOn(source);
    task.getTraceDirectory().set(traces);
    task.getTestClassesDirectories().from(source.map(Test::getTestClassesDirs));
    task.getClassPath().from(source.map(Test::getClasspath));
    task.getLauncher().set(source.flatMap(Test::getJavaLauncher));
    task.getJvmArguments().set(source.map(JvmArguments::of));
    if (hasJacoco()) {
      task.getCoverageFiles()
          .from(
              source.map(
                  traced ->
                      traced
                          .getExtensions()
                          .getByType(JacocoTaskExtension.class)
                          .getDestinationFile()));
    }
  }

  private boolean hasJacoco() {
    return project.getPluginManager().hasPlugin("jacoco");
  }

  private JavaCompile compileTests() {
    return project.getTasks().named(test.getCompileJavaTaskName(), JavaCompile.class).get();
  }

  private void copyCompilerSettings(JavaCompile task) {
    JavaCompile source = compileTests();
    task.setSourceCompatibility(source.getSourceCompatibility());
    task.setTargetCompatibility(source.getTargetCompatibility());
    task.getOptions().setEncoding(source.getOptions().getEncoding());
    task.getOptions().getRelease().convention(source.getOptions().getRelease());
    task.getOptions()
        .setCompilerArgs(CompilerArguments.plain(source.getOptions().getCompilerArgs()));
    task.getJavaCompiler().convention(source.getJavaCompiler());
  }

  /** Lets a task run unless the user said {@code skip}. */
  private static final class NotSkipped implements Spec<Task> {
    private final Property<Boolean> skip;

    NotSkipped(Property<Boolean> skip) {
      this.skip = skip;
    }

    @Override
    public boolean isSatisfiedBy(Task task) {
      return !skip.get();
    }
  }
}
