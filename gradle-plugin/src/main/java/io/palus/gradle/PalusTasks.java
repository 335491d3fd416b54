package io.palus.gradle;

import io.palus.host.OptionNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.file.Directory;
import org.gradle.api.file.FileCollection;
import org.gradle.api.plugins.JavaBasePlugin;
import org.gradle.api.plugins.JavaPluginExtension;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceSetContainer;
import org.gradle.api.tasks.TaskContainer;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.compile.JavaCompile;
import org.gradle.api.tasks.testing.Test;
import org.gradle.jvm.toolchain.JavaToolchainService;
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
  private static final String PALUS_TRACE = "palusTrace";
  private static final String PALUS_TEST = "palusTest";

  /** The test tasks that are ours. */
  static final List<String> TEST_TASKS = List.of(PALUS_TRACE, PALUS_TEST);

  private final Project project;
  private final PalusExtension extension;
  private final TaskContainer tasks;
  private final SourceSet main;
  private final SourceSet test;
  private final SourceSet written;
  private final Provider<Directory> work;
  private final Provider<Directory> traces;
  private final TaskProvider<CheckSettings> check;
  private final TaskProvider<Test> trace;
  private final TaskProvider<Test> run;
  private final TaskProvider<PalusGenerate> generate;
  private final TaskProvider<PalusGenerate> accept;
  private final TaskProvider<PalusCheck> look;
  private final TaskProvider<PalusCheck> guard;
  private final TaskProvider<PalusCheck> reason;
  private final TaskProvider<PalusPromote> promote;
  private final TaskProvider<PalusDiff> diff;
  private final TaskProvider<CheckRevision> revision;
  private OwnSettings plain;

  /** Registers what does not depend on settings, so that build scripts can name the tasks. */
  PalusTasks(Project project, PalusExtension extension) {
    this.project = project;
    this.extension = extension;
    tasks = project.getTasks();
    SourceSetContainer sourceSets = project.getExtensions().getByType(SourceSetContainer.class);
    main = sourceSets.getByName(SourceSet.MAIN_SOURCE_SET_NAME);
    test = sourceSets.getByName(SourceSet.TEST_SOURCE_SET_NAME);
    written = sourceSets.create(PALUS_TEST);
    written.getJava().setSrcDirs(List.of());
    written.getResources().setSrcDirs(List.of());
    work = project.getLayout().getBuildDirectory().dir("palus");
    traces = work.map(new Below("trace"));
    check = tasks.register("checkPalusSettings", CheckSettings.class, this::describeCheck);
    String tracing = "Runs the tests once more, under the tracing agent.";
    trace = tasks.register(PALUS_TRACE, Test.class, task -> describe(task, tracing));
    generate = tasks.register("palusGenerate", PalusGenerate.class, this::describeGenerate);
    accept = tasks.register("palusAccept", PalusGenerate.class, this::describeAccept);
    String runs = "Runs the tests that Palus wrote.";
    run = tasks.register(PALUS_TEST, Test.class, task -> describe(task, runs));
    tasks.register("cleanPalusGenerate", CleanGenerate.class, t -> t.follow(generate, project));
    look = tasks.register("palusCheck", PalusCheck.class, this::describeLook);
    guard = tasks.register("guardPalusTest", PalusCheck.class, this::describeGuard);
    reason = tasks.register("checkPalusTest", PalusCheck.class, this::describeReason);
    String compares = "Compares what the code does with what it did in another revision.";
    diff = tasks.register("palusDiff", PalusDiff.class, task -> describeEngine(task, compares));
    revision = tasks.register("checkPalusRevision", CheckRevision.class, this::describeRevision);
    promote = tasks.register("palusPromote", PalusPromote.class, this::describePromote);
    tasks.register("palusExplain", PalusExplain.class, this::describeExplain);
    tasks.configureEach(new WrittenSources(written, generate, accept));
    KeepOutputs.before(List.of(generate, accept), extension, project);
  }

  private void describeCheck(CheckSettings task) {
    task.setDescription("Checks what is set for Palus.");
    task.onlyIf(new NotSkipped(extension.getSkip()));
    // By way of a plain provider a configuration cache holds what it is, not how it came about.
    task.getClasses().set(project.provider(() -> PalusExtension.list(extension.getClasses())));
    task.getExcludes().set(project.provider(() -> PalusExtension.list(extension.getExcludes())));
    task.getOptions().set(project.provider(extension::texts));
    task.getPropertyNames().set(CheckSettings.propertyNames(project));
    task.getSystemPropertyNames().set(CheckSettings.systemPropertyNames(project));
    task.setFolders(folders());
    task.getBuildDirectory().set(project.getLayout().getBuildDirectory());
    task.getTraceDirectory().set(traces);
  }

  private void describeRevision(CheckRevision task) {
    task.setDescription("Checks that there is the revision that palusDiff compares with.");
    task.onlyIf(new NotSkipped(extension.getSkip()));
    task.getSince().set(project.provider(() -> diff.get().getSince().getOrNull()));
    task.getProjectDirectory().set(project.getLayout().getProjectDirectory());
    task.getClassesDirectories().from(main.getOutput().getClassesDirs());
  }

  private void describePromote(PalusPromote task) {
    describeEngine(task, "Moves written tests into the project's own test sources.");
    task.getHasOtherModules().set(!project.getRootProject().getChildProjects().isEmpty());
    task.mustRunAfter(generate, accept);
  }

  private void describe(Task task, String text) {
    task.setGroup(GROUP);
    task.setDescription(text);
    task.onlyIf(new NotSkipped(extension.getSkip()));
  }

  private void describeGenerate(PalusGenerate task) {
    describeEngine(task, "Learns from the traced tests and writes new ones.");
    task.mustRunAfter(accept);
  }

  private void describeAccept(PalusGenerate task) {
    describeEngine(task, "Replaces written tests that fail on changed code, and nothing else.");
    task.getAccepts().set(true);
  }

  private void describeLook(PalusCheck task) {
    describeEngine(task, "Runs the tests of the last run on the code as it is now.");
    task.mustRunAfter(generate, accept);
  }

  private void describeGuard(PalusCheck task) {
    describeEngine(task, "Runs written tests in the sandbox where code has changed since.");
    task.getFailsAlways().set(true);
    task.mustRunAfter(generate, accept);
  }

  private void describeReason(PalusCheck task) {
    describeEngine(task, "Says what changed where written tests no longer compile or pass.");
    task.getFollowsFailure().set(true);
  }

  private void describeEngine(EngineTask task, String text) {
    describe(task, text);
    task.takeTurns(project.getGradle());
  }

  private void describeExplain(PalusExplain task) {
    describe(task, "Says what is known about one method and why it has or has no test.");
    task.getMethodName()
        .convention(project.getProviders().gradleProperty("palus." + OptionNames.METHOD));
    task.getReportDirectory().set(reports());
    task.getGenerateCommand().set("gradle " + project.absoluteProjectPath("palusGenerate"));
  }

  private Provider<Directory> reports() {
    return project.getLayout().getBuildDirectory().dir("reports/palus");
  }

  /** What depends on settings. */
  void connect(Automatic automatic, TaskProvider<Test> traced) {
    boolean isToTrace = automatic == Automatic.GENERATE;
    Optional<String> hindrance =
        isToTrace ? Hindrance.ofTraces(project, traces) : Hindrance.ofMachine(project);
    boolean generates = isToTrace && hindrance.isEmpty();
    trace.configure(task -> plain = OwnSettings.of(task));
    if (generates) {
      // `check` runs the tests anyway, so those are traced: no second run.
      traced.configure(this::attach);
      trace.configure(
          task -> {
            task.setEnabled(false);
            task.dependsOn(traced);
          });
      WasTraced.decides(traced, List.of(generate, tasks.named("keepPalusOutputs")), project);
      written.getJava().srcDir(generate.flatMap(PalusGenerate::getOutputDirectory));
    } else {
      trace.configure(
          task -> {
            TestCopy.settings(traced.get(), task);
            TestCopy.framework(traced.get(), task);
            TestCopy.selection(traced.get(), task);
            Conditions.copy(traced.get(), task);
            task.setIgnoreFailures(true);
            // How many ran, and how long, is read from the XML reports.
            task.getReports().getJunitXml().getRequired().set(true);
            attach(task);
          });
      // No dependency: written tests are run as they are. Order is by `order`.
      written.getJava().srcDir(extension.getOutputDirectory());
    }
    TaskProvider<Test> source = generates ? traced : trace;
    generate.configure(task -> configure(task, source, traced.get()));
    accept.configure(task -> configure(task, source, traced.get()));
    for (TaskProvider<? extends EarlierTask> each : List.of(look, guard, reason, promote)) {
      each.configure(task -> configure(task, source.get(), traced.get()));
    }
    diff.configure(
        task -> {
          configureEngine(task, source.get(), traced.get());
          task.dependsOn(revision, source);
          task.configure(project, main, test, traces, reports());
        });
    FileCollection classPath = project.files(project.provider(() -> traced.get().getClasspath()));
    // What the engine verified the tests with, in the same order.
    written.setCompileClasspath(classPath.plus(test.getCompileClasspath()));
    written.setRuntimeClasspath(written.getOutput().plus(classPath));
    TaskProvider<JavaCompile> compile =
        tasks.named(written.getCompileJavaTaskName(), JavaCompile.class);
    compile.configure(task -> CompilerArguments.copy(compileTests(), task));
    compile.configure(CompiledWritten::watch);
    // A written test that fails keeps none of the project's own from running.
    compile.configure(task -> task.shouldRunAfter(traced));
    // They were verified on other code if anything has changed since, and may do anything then.
    guard.configure(task -> task.mustRunAfter(compile, traced));
    // Of what it will be: a build script may change it.
    FileCollection output = written.getOutput();
    Provider<?> of = project.provider(() -> run.get().getClasspath().minus(output));
    guard.configure(task -> task.getClassPath().setFrom(of));
    if (hindrance.isPresent()) {
      LeftOut leftOut = new LeftOut(hindrance.get(), project);
      leftOut.keep(compile, run, written.getJava());
      if (isToTrace) {
        leftOut.sayBefore(traced);
      }
    } else {
      Unfinished.follow(List.of(compile, run), reason, project);
      run.configure(task -> task.dependsOn(guard));
    }
    run.configure(
        task -> {
          trace.get(); // By now `plain` is known, whoever asked for that task first.
          TestCopy.written(traced.get(), task, plain, project, test);
          task.setTestClassesDirs(written.getOutput().getClassesDirs());
          task.setClasspath(written.getRuntimeClasspath());
        });
    if (automatic != Automatic.OFF) {
      tasks.named(JavaBasePlugin.CHECK_TASK_NAME).configure(check -> check.dependsOn(run));
    }
  }

  /** Puts the agents on a test task. */
  private void attach(Test task) {
    TraceArguments arguments = TraceArguments.of(task, traces, main, project);
    WasTraced was = new WasTraced(task);
    task.dependsOn(check);
    task.mustRunAfter(revision);
    task.usesService(TraceSlot.of(project.getGradle()));
    task.getJvmArgumentProviders().add(arguments);
    task.getOutputs().dir(traces).withPropertyName("palusTraces");
    task.getOutputs().upToDateWhen(was);
    task.getOutputs()
        .doNotCacheIf(
            TraceCaching.REASON, TraceCaching.of(project.getGradle(), extension.getCacheTraces()));
    task.doFirst(new StackArgument.Adding());
    task.doFirst(new PrepareTrace(arguments, task.getTestClassesDirs(), was, project));
    task.doLast(new RecordRun(arguments, task.getReports().getJunitXml()));
  }

  /** Those that {@link #configure} has. */
  private Map<String, FileCollection> folders() {
    Map<String, FileCollection> folders = new LinkedHashMap<>();
    folders.put("projectDirectory", project.files(project.getProjectDir()));
    folders.put(OptionNames.OUTPUT_DIRECTORY, project.files(extension.getOutputDirectory()));
    folders.put(OptionNames.FINDINGS_DIRECTORY, project.files(extension.getFindingsDirectory()));
    folders.put("workDirectory", project.files(work.map(new Below("work"))));
    folders.put("reportDirectory", project.files(reports()));
    folders.put("sourceDirectory", main.getJava().getSourceDirectories());
    folders.put("classesDirectory", main.getOutput().getClassesDirs());
    folders.put("testClassesDirectory", test.getOutput().getClassesDirs());
    return folders;
  }

  private void configure(PalusGenerate task, TaskProvider<Test> source, Test traced) {
    Test tests = source.get();
    configureEngine(task, tests, traced);
    task.getFindingsDirectory().set(extension.getFindingsDirectory());
    // The baseline stands in the project and is no output: who wants it written gets it written.
    task.getOutputs().upToDateWhen(new BaselineWritten(false));
    task.getOutputs().upToDateWhen(new ProtocolsKept());
    task.getOutputs().doNotCacheIf("the baseline is written", new BaselineWritten(true));
    task.getOutputs().doNotCacheIf("a written test was edited", new EditedTests());
    task.getOutputs().doNotCacheIf("tests of the last run are to be run", new EarlierTests());
    task.dependsOn(source);
    task.getNotRun().set(project.provider(() -> NotRun.by(tests)));
    task.getTraceDirectory().set(traces);
    JacocoTaskExtension jacoco = TestCopy.jacoco(tests);
    if (jacoco != null) {
      // Not by a provider: it would hold the test task, which no configuration cache takes.
      task.getCoverageFiles().from(jacoco.getDestinationFile());
    }
    task.getOutputDirectory().set(extension.getOutputDirectory());
    task.getWorkDirectory().set(work.map(new Below("work")));
    task.getReportDirectory().set(reports());
  }

  private void configure(EarlierTask task, Test tests, Test traced) {
    configureEngine(task, tests, traced);
    task.getOutputDirectory().set(extension.getOutputDirectory());
    task.getTraceDirectory().set(traces);
    task.getWorkDirectory().set(work.map(new Below("work")));
    task.getReportDirectory().set(reports());
  }

  private void configureEngine(EngineTask task, Test tests, Test traced) {
    JavaToolchainService toolchains = project.getExtensions().getByType(JavaToolchainService.class);
    JavaPluginExtension java = project.getExtensions().getByType(JavaPluginExtension.class);
    task.dependsOn(check);
    task.getClasses().set(project.provider(() -> PalusExtension.list(extension.getClasses())));
    task.getExcludes().set(project.provider(() -> PalusExtension.list(extension.getExcludes())));
    task.getOptions().set(project.provider(() -> extension.texts(true)));
    task.getOtherOptions().set(project.provider(() -> extension.texts(false)));
    task.getBaseline().from(extension.getBaseline());
    task.getProjectName().set(project.getName());
    task.getProjectDirectory().set(project.getLayout().getProjectDirectory());
    task.getClassesDirectories().from(main.getOutput().getClassesDirs());
    task.getSourceDirectories().from(main.getJava().getSourceDirectories());
    task.getTestClassesDirectories().from(tests.getTestClassesDirs());
    task.getClassPath().from(tests.getClasspath());
    // Gradle 7.6 names no launcher where the build script asks for none.
    task.getLauncher()
        .set(tests.getJavaLauncher().orElse(toolchains.launcherFor(java.getToolchain())));
    task.getExecutable().set(project.provider(tests::getExecutable));
    // Not by a provider: a test task that has run has system properties of its own run.
    task.getJvmArguments().set(JvmArguments.of(tests));
    task.getTestFolder().set(tests.getWorkingDir());
    task.getTestVariables().set(JvmArguments.variables(traced));
    task.getBuildSecrets().set(new BuildSecrets(project));
    // Of the user's task: those of the copy know the copy.
    task.getJvmArgumentProviders()
        .addAll(CopiedArguments.withoutAgents(traced.getJvmArgumentProviders()));
    JavaCompile compile = compileTests();
    task.getCompilerArguments().set(project.provider(() -> CompilerArguments.of(compile)));
    task.getLanguageLevel().set(project.provider(() -> CompilerArguments.languageLevel(compile)));
  }

  private JavaCompile compileTests() {
    return tasks.named(test.getCompileJavaTaskName(), JavaCompile.class).get();
  }
}
