package io.palus.maven;

import io.palus.host.Defaults;
import io.palus.host.OptionNames;
import io.palus.host.PalusException;
import io.palus.host.Settings;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.BuildPluginManager;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Component;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.ToolchainManager;

/**
 * What every goal knows: the options, the project, and how an error of Palus becomes one of Maven.
 */
abstract class PalusMojo extends AbstractMojo {
  /**
   * Names of the classes that get tests, as globs: {@code *} stays within a package, {@code **}
   * does not. Default: all.
   */
  @Parameter(property = "palus.classes")
  private List<String> classes;

  /** Names of classes that get no tests, as globs. Default: none. */
  @Parameter(property = "palus.excludes")
  private List<String> excludes;

  /** Steps (executed sequences) per class. Default: 100000. */
  @Parameter(property = "palus.budget")
  private String budget;

  /** Seconds for the whole run, a safety net. Default: 600. */
  @Parameter(property = "palus.timeLimit")
  private String timeLimit;

  /** What random choices are drawn from; the same seed gives the same tests. Default: 0. */
  @Parameter(property = "palus.seed")
  private String seed;

  /** How many worker JVMs run at a time. Default: the number of cores, as far as memory allows. */
  @Parameter(property = "palus.workers")
  private String workers;

  /** Heap of one worker JVM in MiB. Default: 1024. */
  @Parameter(property = "palus.workerMemory")
  private String workerMemory;

  /**
   * Whether to go on where the kernel cannot keep the code under test from files, network and
   * processes: {@code REQUIRED} or {@code BEST_EFFORT}. Default: {@code REQUIRED}; elsewhere than
   * on Linux {@code BEST_EFFORT}.
   */
  @Parameter(property = "palus.sandbox")
  private String sandbox;

  /**
   * Which JUnit the tests are for: {@code AUTO}, {@code JUNIT4}, {@code JUNIT5} or {@code JUNIT6}.
   * Default: {@code AUTO}, the one on the test class path.
   */
  @Parameter(property = "palus.framework")
  private String framework;

  /**
   * How sequences are found: {@code FULL}, or for comparisons {@code RANDOM}, {@code UNGUIDED},
   * {@code STATIC}, {@code PALULU}, {@code MODEL}, {@code CONSTRAINTS}, {@code PALUS}, {@code
   * LITERAL} or {@code BLIND}. Default: {@code FULL}.
   */
  @Parameter(property = "palus.mode")
  private String mode;

  /**
   * Merges states of models that allow the same next calls, this many. Default: 0, nothing is
   * merged.
   */
  @Parameter(property = "palus.kTail")
  private String kTail;

  /**
   * Where a dependent method is called: {@code AFTER} the one that a model calls, {@code BEFORE} it
   * or {@code RANDOM}. Default: {@code AFTER}.
   */
  @Parameter(property = "palus.dependentPosition")
  private String dependentPosition;

  /**
   * How branches that are still open are searched for: {@code DYNAMOSA}, {@code MOSA}, {@code
   * MONOTONIC_GA} or {@code OFF}. Default: {@code DYNAMOSA} in mode {@code FULL}, else {@code OFF}.
   */
  @Parameter(property = "palus.search")
  private String search;

  /**
   * Whether tests and what they assert are chosen by the faults of the class that they notice.
   * Default: true.
   */
  @Parameter(property = "palus.mutants")
  private String mutants;

  /** Whether default contracts (equals, hashCode, iterators, ...) are checked. Default: true. */
  @Parameter(property = "palus.contracts")
  private String contracts;

  /** Whether theories of the test classes are tried. Default: true. */
  @Parameter(property = "palus.theories")
  private String theories;

  /**
   * APIs whose protocols are learned, so that unsafe uses are found: names of sets and patterns
   * over class names, with commas. Default: OFF.
   */
  @Parameter(property = "palus.protocols")
  private String protocols;

  /**
   * Where tests that show a broken rule are written; no build runs them. Default: {@code
   * palus/findings} in the build folder.
   */
  @Parameter(
      property = "palus.findingsDirectory",
      defaultValue = "${project.build.directory}/palus/findings")
  private String findingsDirectory;

  /** The file of known findings. Default: {@code palus-baseline.json} in the project folder. */
  @Parameter(property = "palus.baseline")
  private String baseline;

  /** Whether the findings of this run become the known ones. Default: false. */
  @Parameter(property = "palus.updateBaseline")
  private String updateBaseline;

  /** Whether tests of the last run that fail on changed code are replaced. Default: false. */
  @Parameter(property = "palus.accept")
  private String accept;

  /** Whether classes that are as the last run left them keep their tests. Default: true. */
  @Parameter(property = "palus.incremental")
  private String incremental;

  /** Whether {@code check} fails where behaviour changed. Default: true. */
  @Parameter(property = "palus.failOnChange")
  private String failOnChange;

  /** Where tests are written. */
  @Parameter(
      property = "palus.outputDirectory",
      defaultValue = "${project.build.directory}/generated-test-sources/palus")
  private File outputDirectory;

  /** Where promoted tests go, a folder of test sources. Default: {@code src/test/java}. */
  @Parameter(property = "palus.promoteDirectory")
  private String promoteDirectory;

  /** Which tests {@code promote} moves: {@code shop.Rates#fee}. Default: all. */
  @Parameter(property = "palus.covers")
  private String covers;

  /** How many tests of each class {@code promote} moves at most. Default: all. */
  @Parameter(property = "palus.bestPerClass")
  private String bestPerClass;

  /** Whether to do nothing. */
  @Parameter(property = "palus.skip", defaultValue = "" + Defaults.SKIP)
  private String skip;

  /** Which execution of Surefire is traced; {@code test} means {@code default-test}. */
  @Parameter(property = "palus.testTask", defaultValue = Defaults.TEST_TASK)
  private String testTask;

  @Parameter(defaultValue = "${project}", readonly = true, required = true)
  private MavenProject project;

  @Parameter(defaultValue = "${session}", readonly = true, required = true)
  private MavenSession session;

  @Parameter(defaultValue = "${mojoExecution}", readonly = true)
  private MojoExecution execution;

  @Component private BuildPluginManager plugins;

  @Component private ToolchainManager toolchains;

  @Override
  public final void execute() throws MojoExecutionException, MojoFailureException {
    if (isSkipped()) {
      getLog().debug("Palus is skipped");
      skipped();
      return;
    }
    if ("pom".equals(project.getPackaging())) {
      return;
    }
    try {
      if (isOfBuild() && LeftAlone.is(this)) {
        skipped();
        return;
      }
      SettingsCheck.run(this, testTask);
      run();
    } catch (PalusException e) {
      if (e.kind() == PalusException.Kind.CONFIGURATION
          || e.kind() == PalusException.Kind.BEHAVIOUR_CHANGE) {
        throw new MojoFailureException(e.userMessage(), e);
      }
      throw new MojoExecutionException(e.userMessage(), e);
    }
  }

  /** What {@code skip} says; Maven by itself would take every typing error for a no. */
  private boolean isSkipped() throws MojoFailureException {
    if (!"true".equalsIgnoreCase(skip) && !"false".equalsIgnoreCase(skip)) {
      throw new MojoFailureException(
          "the setting `skip` has the value `" + skip + "`. Allowed: true or false");
    }
    return Boolean.parseBoolean(skip);
  }

  /** The goal itself. */
  abstract void run() throws MojoExecutionException, MojoFailureException;

  /** What is left to do where the user said {@code skip}, or Palus leaves the build alone. */
  void skipped() {}

  /** Whether this goal is a part of the user's own build, which what Palus lacks is not to fail. */
  boolean isOfBuild() {
    return false;
  }

  /** Whether the command line names this goal. */
  final boolean isAskedFor() {
    return execution != null && execution.getSource() == MojoExecution.Source.CLI;
  }

  final MavenProject project() {
    return project;
  }

  final MojoExecution execution() {
    return execution;
  }

  final MavenSession session() {
    return session;
  }

  final ToolchainManager toolchains() {
    return toolchains;
  }

  final File outputDirectory() {
    return outputDirectory;
  }

  /** Whether this run may replace tests that fail. */
  final boolean acceptsChanges() {
    return "true".equalsIgnoreCase(accept);
  }

  final boolean failsOnChange() {
    return !"false".equalsIgnoreCase(failOnChange);
  }

  final BuildPluginManager plugins() {
    return plugins;
  }

  /** Whether this is the lifecycle that {@code palus:generate} runs the project's tests in. */
  final boolean isInForkedLifecycle() {
    return project.getProperties().getProperty(PrepareMojo.FORKED_ARG_LINE) != null;
  }

  final Layout layout() {
    return new Layout(project);
  }

  final TestRun testRun() {
    return new TestRun(
        project,
        new EffectiveConfiguration(
            session, plugins, project, TestRun.KEY, TestRun.execution(testTask), "test"));
  }

  final TestCompiler testCompiler() {
    return new TestCompiler(
        project,
        new EffectiveConfiguration(
            session, plugins, project, TestCompiler.KEY, "default-testCompile", "testCompile"));
  }

  /** The options the user set, and the folders that those of Palus must not mix with. */
  final Settings.Builder optionsAndFolders() {
    Layout layout = layout();
    List<Path> sources = new ArrayList<>();
    for (String root : project.getCompileSourceRoots()) {
      if (Files.isDirectory(Paths.get(root))) {
        sources.add(Paths.get(root));
      }
    }
    return options()
        .set("projectDirectory", project.getBasedir().getAbsoluteFile())
        .set("workDirectory", layout.work())
        .set("reportDirectory", layout.report())
        .set("classesDirectory", layout.classes())
        .set("testClassesDirectory", layout.testClasses())
        .setAll("sourceDirectory", sources);
  }

  /** The options the user set; what is not set is left to the engine. */
  final Settings.Builder options() {
    Settings.Builder options = Settings.builder();
    for (String name : OptionNames.ENGINE) {
      Object value = option(name);
      if (value instanceof List) {
        List<?> list = (List<?>) value;
        options.setGiven(name, list.isEmpty() && !isNamed(name) ? null : list);
      } else {
        options.set(name, value);
      }
    }
    return options;
  }

  /** Whether the user named a list: Maven makes it an empty one where they did not, too. */
  private boolean isNamed(String name) {
    String property = "palus." + name;
    return session.getUserProperties().containsKey(property)
        || project.getProperties().containsKey(property)
        || PalusInPom.elements(project).contains(name);
  }

  /** What Maven has put into the parameter of that name. */
  private Object option(String name) {
    try {
      Object value = PalusMojo.class.getDeclaredField(name).get(this);
      return value instanceof File ? ((File) value).getAbsoluteFile() : value;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("there is no parameter `" + name + "`", e);
    }
  }
}
