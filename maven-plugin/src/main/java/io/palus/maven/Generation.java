package io.palus.maven;

import io.palus.host.BaseRevision;
import io.palus.host.Console;
import io.palus.host.CoverageAgent;
import io.palus.host.CoveredClasses;
import io.palus.host.OptionNames;
import io.palus.host.Palus;
import io.palus.host.PalusException;
import io.palus.host.SecretNames;
import io.palus.host.Settings;
import io.palus.host.TestReports;
import io.palus.host.TraceLock;
import io.palus.host.WorkerJar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.apache.maven.plugin.logging.Log;
import org.apache.maven.project.MavenProject;

/** One run of the engine for one module, after its tests have been traced. */
final class Generation {
  private static final ReentrantLock ENGINE = new ReentrantLock();

  private final PalusMojo mojo;
  private final MavenProject project;
  private final Layout layout;
  private TraceRecord record;
  private final Log log;

  Generation(PalusMojo mojo) {
    this.mojo = mojo;
    this.project = mojo.project();
    this.layout = mojo.layout();
    this.record = new TraceRecord(layout);
    this.log = mojo.getLog();
  }

  /** Writes tests, unless the module has no classes. */
  void run() {
    if (!Layout.holdsClasses(layout.classes())) {
      log.debug("no classes in " + layout.classes());
      return;
    }
    TraceLock lock = lockTraces();
    try {
      Settings settings = afterTracing().build();
      log.debug(settings.toString());
      run(settings, Palus::generate);
      record.generated();
    } finally {
      lock.close();
    }
  }

  /** Replaces the written tests that fail, unless the module has neither tests nor classes. */
  void accept() {
    if (isEmpty()) {
      return;
    }
    TraceLock lock = lockTraces();
    try {
      Settings settings = afterTracing().build();
      log.debug(settings.toString());
      run(settings, Palus::accept);
    } finally {
      lock.close();
    }
  }

  /** Compares what the code does with what that of another revision does. */
  void differences(String since) {
    if (!Layout.holdsClasses(layout.classes())) {
      log.debug("no classes in " + layout.classes());
      return;
    }
    TraceLock lock = lockTraces();
    try (BaseRevision revision = new MavenBase(project, mojo.session(), since).compiled(layout)) {
      List<Path> path =
          new Inputs(project, mojo.session(), mojo.testRun())
              .classPath().stream().map(Paths::get).collect(Collectors.toList());
      Settings settings =
          afterTracing()
              .set(OptionNames.SINCE, since)
              .set("comparedWith", revision.comparedWith().orElse(null))
              .set("baseClassesDirectory", revision.at(layout.classes()))
              .setAll("baseClassPath", revision.classPath(path))
              .build();
      log.debug(settings.toString());
      run(settings, Palus::differences);
    } finally {
      lock.close();
    }
  }

  /** Until it is closed, no other build touches the traces. */
  private TraceLock lockTraces() {
    TraceLock lock = Tracing.lock(mojo);
    record = new TraceRecord(layout); // Another build may have traced until now.
    return lock;
  }

  /** What there is to know after the project's tests have been traced. */
  private Settings.Builder afterTracing() {
    TestRun tests = mojo.testRun();
    if (tests.exists()) {
      tests.provider().check();
    }
    if (record.isBegun()) {
      TestReports reports =
          TestReports.since(record.started(), Paths.get(tests.reportsDirectory()));
      if (reports.red() > 0) {
        log.warn(reports.failures());
      }
      if (reports.tests() > 0 && !record.hasTraces()) {
        log.warn(
            reports.tests()
                + " tests ran without the tracing agent. Something hides it from Surefire: an"
                + " <argLine> in the pom without @{argLine}, -DargLine on the command line, or"
                + " forkCount 0");
      }
      if (!Files.exists(layout.executionData())) {
        new Agents(project, layout).jacocoFile().ifPresent(record::takeExecutionData);
      }
      record.complete(reports, tests.isCounted(mojo.session()));
    }
    return settings(tests);
  }

  /** Runs the tests of the last run on what the code is now, and fails where one fails. */
  void compare() {
    if (!isEmpty()) {
      compare(settings(mojo.testRun()).build());
    }
  }

  /** Moves written tests that pass among the project's own. */
  void promote() {
    Settings settings =
        settings(mojo.testRun())
            .set("hasOtherModules", mojo.session().getProjects().size() > 1)
            .build();
    log.debug(settings.toString());
    run(settings, Palus::promote, MavenConsole.answering(log));
  }

  /**
   * Whether there is nothing to look at. Written tests stay where the last class of a module went
   * to another one, and run what that class is there.
   */
  private boolean isEmpty() {
    return !Layout.holdsClasses(layout.classes())
        && Layout.files(mojo.outputDirectory().toPath(), ".java").isEmpty();
  }

  private void compare(Settings settings) {
    log.debug(settings.toString());
    run(settings, Palus::compare);
  }

  /**
   * The same, before they run without walls; true where one fails and that is not to fail the
   * build.
   */
  boolean findsChanges() {
    if (isEmpty()) {
      return false;
    }
    Settings.Builder settings = settings(mojo.testRun());
    settings
        .setInstead(OptionNames.FAIL_ON_CHANGE, true)
        .setInstead(OptionNames.ACCEPT, false)
        .set("testsRunNext", true);
    boolean isToFail = mojo.failsOnChange() && !mojo.acceptsChanges();
    try {
      compare(settings.build());
      return false;
    } catch (PalusException e) {
      if (isToFail || e.kind() != PalusException.Kind.BEHAVIOUR_CHANGE) {
        throw e;
      }
      return true;
    }
  }

  /** One engine at a time: each takes all cores, and `mvn -T` runs modules side by side. */
  private void run(Settings settings, BiConsumer<Settings, Console> engine) {
    run(settings, engine, MavenConsole.of(log, mojo.session().getRequest().isInteractiveMode()));
  }

  private void run(Settings settings, BiConsumer<Settings, Console> engine, Console console) {
    try {
      ENGINE.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PalusException(PalusException.Kind.CANCELLED, "interrupted", "", e);
    }
    try {
      engine.accept(settings, console);
    } finally {
      ENGINE.unlock();
    }
  }

  private Settings.Builder settings(TestRun tests) {
    Inputs inputs = new Inputs(project, mojo.session(), tests);
    TestCompiler compiler = mojo.testCompiler();
    return mojo.optionsAndFolders()
        .set("projectName", project.getArtifactId())
        .setAll("classPath", inputs.classPath())
        .set("traceDirectory", layout.traces())
        .set("traceTests", record.tests())
        .set("traceSeconds", record.seconds())
        .setAll("notRun", tests.exists() ? tests.provider().notRun() : List.of())
        .setAll("coverageFile", coverageFiles())
        .setAll("coverageClassPath", CoverageAgent.classPath())
        .set("coverageAgent", CoverageAgent.path())
        .setAll("coverageInclude", CoveredClasses.patterns(List.of(layout.classes().toFile())))
        .set("javaHome", inputs.javaHome(mojo.toolchains()))
        .set("languageLevel", compiler.languageLevel())
        .setAll("compilerArgument", compiler.arguments())
        .setAll("jvmArgument", inputs.jvmArguments())
        .setAll("commandLineProperty", inputs.commandLineProperties())
        .setAll("testVariable", tests.variables())
        .setAll(
            Settings.BUILD_PROPERTY,
            SecretNames.pairs(new Agents(project, layout).secrets(), inputs.jvmArguments()))
        .set("workerJar", WorkerJar.path())
        .set("launcher", WorkerJar.launcher())
        .set("commandLine", commandLine());
  }

  private List<Path> coverageFiles() {
    return Files.isRegularFile(layout.executionData())
        ? List.of(layout.executionData())
        : List.of();
  }

  /** What to type to do the same again. */
  private String commandLine() {
    Settings options = mojo.options().build();
    StringBuilder line = new StringBuilder("mvn palus:generate");
    for (String name : OptionNames.ENGINE) {
      List<String> values = options.values(name);
      if (!values.isEmpty()
          && !name.equals(OptionNames.OUTPUT_DIRECTORY)
          && !name.equals(OptionNames.ACCEPT)
          && !isUsualFolder(name, values)) {
        line.append(" -Dpalus.").append(name).append('=').append(String.join(",", values));
      }
    }
    return line.toString();
  }

  /** Whether nobody set the folder of findings, which Maven gives a value of its own. */
  private boolean isUsualFolder(String name, List<String> values) {
    Path usual = Paths.get(mojo.project().getBuild().getDirectory(), "palus", "findings");
    return name.equals(OptionNames.FINDINGS_DIRECTORY) && values.equals(List.of(usual.toString()));
  }
}
