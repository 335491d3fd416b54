package io.palus.maven;

import io.palus.host.AgentArguments;
import io.palus.host.Defaults;
import io.palus.host.PalusException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.lifecycle.LifecycleExecutor;
import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.project.MavenProject;

/** How Surefire runs the project's tests. */
final class TestRun {
  static final String KEY = "org.apache.maven.plugins:maven-surefire-plugin";

  /** The property that Surefire's parameter of the same name reads. */
  static final String ARG_LINE = "argLine";

  private static final String ADDED_DEPENDENCIES = "additionalClasspathDependencies";

  private static final Pattern LATE = Pattern.compile("@\\{([^}]+)}");

  /** What Surefire replaces in each JVM that it starts: written tests run in the first. */
  private static final Pattern FORK = Pattern.compile("\\$\\{surefire\\.(fork|thread)Number}");

  private static final List<String> CHOOSING =
      List.of(
          "includes",
          "excludes",
          "includesFile",
          "excludesFile",
          "groups",
          "excludedGroups",
          "suiteXmlFiles",
          "includeJUnit5Engines",
          "excludeJUnit5Engines",
          "dependenciesToScan",
          "testClassesDirectory");

  private final MavenProject project;
  private final EffectiveConfiguration configuration;

  /** The execution of Surefire that each project has. */
  private static final String DEFAULT = "default-test";

  /** The execution that {@code testTask} means. */
  static String execution(String testTask) {
    return testTask.equals(Defaults.TEST_TASK) ? DEFAULT : testTask;
  }

  /** Checks that the project has the execution that {@code testTask} means. */
  static void checkExecution(MavenProject project, String testTask) {
    Set<String> allowed = new TreeSet<>(Set.of(Defaults.TEST_TASK, DEFAULT));
    Plugin surefire = project.getPlugin(KEY);
    if (surefire != null) {
      allowed.addAll(surefire.getExecutionsAsMap().keySet());
    }
    if (!allowed.contains(testTask)) {
      throw PalusException.configuration(
          "the setting `testTask` has the value `"
              + testTask
              + "`, which is no execution of Surefire in "
              + project.getFile(),
          "allowed: " + String.join(", ", allowed),
          null);
    }
  }

  TestRun(MavenProject project, EffectiveConfiguration configuration) {
    this.project = project;
    this.configuration = configuration;
  }

  /** Whether the project has a Surefire. */
  boolean exists() {
    return configuration.exists();
  }

  /** The pom's own text of {@code argLine}, which hides the property of that name. */
  Optional<String> literalArgLine() {
    return configuration.literal(ARG_LINE);
  }

  /** Which kinds of tests it runs; needs the project's test dependencies resolved. */
  SurefireProvider provider() {
    return new SurefireProvider(project, configuration.version());
  }

  /** Whether this build runs all of the project's tests. */
  boolean isWhole(MavenSession session) {
    return !isSkipped() && chosen(session) == null;
  }

  /** Which tests the command line names; null for none. */
  static String chosen(MavenSession session) {
    return session.getUserProperties().getProperty("test");
  }

  /** Whether it does, and leaves reports that count them. */
  boolean isCounted(MavenSession session) {
    return isWhole(session) && !configuration.isTrue("disableXmlReport");
  }

  /** Whether the user asked for no tests, by a property or in the pom. */
  boolean isSkipped() {
    return configuration.isTrue("skipTests")
        || configuration.isTrue("skip")
        || configuration.isTrue("skipExec");
  }

  /** Whether tests run in a JVM of their own, which is where an agent can be. */
  boolean isForked() {
    return !configuration.value("forkCount").filter("0"::equals).isPresent()
        && !configuration.value("forkMode").filter("never"::equals).isPresent();
  }

  /** Whether the command line says what a parameter of Surefire is. */
  boolean isSetByUser(String parameter, MavenSession session) {
    return configuration.isSetByUser(parameter, session);
  }

  /** Surefire's execution of the project's own tests. */
  MojoExecution execution(LifecycleExecutor lifecycle, MavenSession session)
      throws MojoExecutionException {
    return configuration.execution(lifecycle, session);
  }

  /** Where Surefire writes its XML reports. */
  String reportsDirectory() {
    return configuration
        .value("reportsDirectory")
        .orElse(project.getBuild().getDirectory() + "/surefire-reports");
  }

  /** The {@code java} Surefire is told to use, if it is told. */
  Optional<String> jvm() {
    return configuration.value("jvm");
  }

  /** The class path of the tests, as Surefire makes it of the project's. */
  List<String> classPath() throws DependencyResolutionRequiredException {
    if (configuration.isSet(ADDED_DEPENDENCIES)) {
      throw PalusException.configuration(
          "the pom gives the tests `" + ADDED_DEPENDENCIES + "`, which only Surefire resolves",
          "Make them dependencies with the scope `test`",
          null);
    }
    List<String> path = new ArrayList<>(project.getTestClasspathElements());
    LeftOutDependencies.of(configuration, project).forEach(path::remove);
    path.addAll(configuration.values("additionalClasspathElements"));
    return path;
  }

  /**
   * Fails where the tests would fail for being traced: JMockit makes classes anew from their files,
   * which a JVM refuses where an agent has added anything to them.
   */
  void checkTraceable() throws DependencyResolutionRequiredException {
    for (String entry : classPath()) {
      if (new File(entry).getName().startsWith("jmockit-")) {
        throw PalusException.configuration(
            "the tests use JMockit, which does not work beside an agent that changes classes",
            "Call `mvn palus:generate` by hand, which learns from the tests that pass all the same",
            null);
      }
    }
  }

  /** Where the tests run. */
  private Path workingDirectory() {
    Path base = project.getBasedir().toPath();
    return configuration.value("workingDirectory").map(base::resolve).orElse(base);
  }

  /**
   * The arguments of the test JVM, all properties replaced; agents that measure coverage, native
   * ones and what is ours left out.
   */
  List<String> jvmArguments(MavenSession session) {
    String text = configuration.value(ARG_LINE).orElse("");
    List<String> arguments = new ArrayList<>();
    String line = replaceLate(text, session);
    String added = project.getProperties().getProperty(Agents.ADDED, "");
    arguments.addAll(
        AgentArguments.kept(
            ArgLine.split(added.isEmpty() ? line : line.replace(added, "")), workingDirectory()));
    if (configuration.value("enableAssertions").filter("false"::equals).isPresent()) {
      arguments.add("-da");
    }
    addProperties(arguments, configuration.entries("systemProperties"));
    configuration.value("systemPropertiesFile").ifPresent(file -> addFile(arguments, file));
    addProperties(arguments, configuration.entries("systemPropertyVariables"));
    arguments.replaceAll(argument -> FORK.matcher(argument).replaceAll("1"));
    return arguments;
  }

  private static void addProperties(List<String> arguments, List<String[]> entries) {
    for (String[] entry : entries) {
      arguments.add("-D" + entry[0] + "=" + entry[1]);
    }
  }

  /** A file that is not there is for Surefire to complain of. */
  private void addFile(List<String> arguments, String file) {
    Properties properties = new Properties();
    Path path = project.getBasedir().toPath().resolve(file);
    try (InputStream in = Files.newInputStream(path)) {
      properties.load(in);
    } catch (IOException e) {
      return;
    }
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      arguments.add("-D" + name + "=" + properties.getProperty(name));
    }
  }

  /** All that says which of the project's tests run, but for what the command line names. */
  List<String> choice() {
    List<String> choice = new ArrayList<>();
    configuration.literal("test").ifPresent(text -> choice.add("test=" + text));
    for (String parameter : CHOOSING) {
      for (String value : configuration.values(parameter)) {
        choice.add(parameter + "=" + value + " " + content(value));
      }
    }
    return choice;
  }

  /** Of a file of patterns or of a suite, what it says; empty for what is no file. */
  private String content(String file) {
    try {
      return Files.readString(project.getBasedir().toPath().resolve(file));
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  /** Names of the variables that the test JVM is given. */
  List<String> variables() {
    return configuration.entries("environmentVariables").stream()
        .map(entry -> entry[0])
        .collect(Collectors.toList());
  }

  /** The variables of the test JVM: those of the build, and those that the pom adds. */
  Map<String, String> environment() {
    Map<String, String> variables = new HashMap<>(System.getenv());
    for (String[] entry : configuration.entries("environmentVariables")) {
      variables.put(entry[0], entry[1]);
    }
    return variables;
  }

  /** Surefire's own late replacement: at-sign expressions, by project and user properties. */
  private String replaceLate(String text, MavenSession session) {
    Properties properties = new Properties();
    properties.putAll(project.getProperties());
    properties.putAll(session.getUserProperties());
    Matcher matcher = LATE.matcher(text);
    StringBuilder replaced = new StringBuilder();
    while (matcher.find()) {
      String value = properties.getProperty(matcher.group(1), "");
      matcher.appendReplacement(replaced, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(replaced).toString();
  }
}
