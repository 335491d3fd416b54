package io.palus.maven;

import io.palus.host.CoverageAgent;
import io.palus.host.CoveredClasses;
import io.palus.host.SecretNames;
import io.palus.host.ThreadStack;
import io.palus.host.TraceOptions;
import io.palus.host.WorkerJar;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.project.MavenProject;

/** The agents of the traced test run, in the property {@code argLine} and out of it again. */
final class Agents {
  static final String JACOCO = "org.jacoco:jacoco-maven-plugin";

  /** What was added to the property, so that exactly that can be taken away. */
  static final String ADDED = "palus.agents";

  /** A comma ends a value of JaCoCo's options where the name of another option follows. */
  private static final String IN_VALUE = "(?:(?!,[a-zA-Z0-9_\\-]+=)";

  /**
   * JaCoCo's agent as its own plugin writes it, quoted where it holds blanks; the file is group 2.
   */
  private static final List<Pattern> JACOCO_FILE =
      List.of(
          Pattern.compile(
              "(\"-javaagent:[^\"]*?jacoco[^\"]*?[=,]destfile=)(" + IN_VALUE + "[^\"])+)"),
          Pattern.compile(
              "((?<!\")-javaagent:[^\"\\s]*?jacoco[^\"\\s]*?[=,]destfile=)("
                  + IN_VALUE
                  + "[^\"\\s])+)"));

  private final MavenProject project;
  private final Layout layout;

  Agents(MavenProject project, Layout layout) {
    this.project = project;
    this.layout = layout;
  }

  /** Whether the project measures coverage itself; a second JaCoCo in one JVM would break both. */
  boolean projectHasJacoco() {
    return project.getPlugin(JACOCO) != null;
  }

  /**
   * Writes what the tracing agent is told and answers the arguments that attach our agents.
   *
   * @param isCompiled whether all of the project's classes are there
   * @param tests arguments of the test JVM as it is without them
   * @param variables of that JVM
   */
  String arguments(boolean isCompiled, List<String> tests, Map<String, String> variables) {
    new TraceOptions(layout.traces(), project.getBasedir().toPath())
        .classes(List.of(layout.classes()))
        .testClasses(List.of(layout.testClasses()))
        .measuresCoverage(!projectHasJacoco())
        .secretPlaces(SecretNames.handedOn(secrets(), tests))
        .write(layout.agentOptions());
    String tracing =
        ThreadStack.argument(tests, variables)
            + " "
            + ArgLine.quote(TraceOptions.jvmArgument(WorkerJar.path(), layout.agentOptions()));
    if (projectHasJacoco()) {
      return tracing;
    }
    return tracing + " " + coverage(isCompiled ? covered() : List.of());
  }

  /**
   * Properties of the command line, of the pom and of active profiles, those of the user's settings
   * among them.
   */
  Map<String, String> secrets() {
    Map<String, String> secrets = SecretNames.among(System.getProperties());
    secrets.putAll(SecretNames.among(project.getProperties()));
    return secrets;
  }

  private List<String> covered() {
    return CoveredClasses.patterns(List.of(layout.classes().toFile()));
  }

  private String coverage(List<String> classes) {
    return ArgLine.quote(
        CoverageAgent.jvmArgument(CoverageAgent.path(), layout.executionData(), classes));
  }

  /**
   * Now that classes are compiled: lets the agent that was told of none, in these properties, only
   * instrument those.
   */
  void coverOnlyClasses(String... names) {
    Properties properties = project.getProperties();
    String all = coverage(List.of());
    String own = coverage(covered());
    for (String name : names) {
      String line = properties.getProperty(name);
      if (line != null) {
        properties.setProperty(name, line.replace(all, own));
      }
    }
  }

  /** Adds the agents to the property. */
  void attach(String arguments) {
    remove();
    Properties properties = project.getProperties();
    String line = properties.getProperty(TestRun.ARG_LINE, "");
    properties.setProperty(TestRun.ARG_LINE, ArgLine.append(line, arguments));
    properties.setProperty(ADDED, arguments);
  }

  /** What is in the property because of us. */
  String added() {
    return project.getProperties().getProperty(ADDED, "");
  }

  /** Takes the agents out of the property, where they are in it. */
  void remove() {
    Properties properties = project.getProperties();
    String added = properties.getProperty(ADDED);
    String line = properties.getProperty(TestRun.ARG_LINE);
    if (added != null && line != null) {
      properties.setProperty(TestRun.ARG_LINE, line.replace(added, "").trim());
      properties.remove(ADDED);
    }
  }

  /**
   * Sends the execution data of the project's own JaCoCo to a file of ours, whichever property
   * carries its agent. Only for runs of ours: the user's file, which holds other runs, stays as it
   * is.
   */
  void redirectJacoco(Path file) {
    Properties properties = project.getProperties();
    for (String name : properties.stringPropertyNames()) {
      String line = properties.getProperty(name);
      String redirected = redirected(line, file.toString());
      if (!redirected.equals(line)) {
        properties.setProperty(name, redirected);
      }
    }
  }

  static String redirected(String line, String file) {
    String redirected =
        JACOCO_FILE.get(0).matcher(line).replaceAll("$1" + Matcher.quoteReplacement(file));
    Matcher plain = JACOCO_FILE.get(1).matcher(redirected);
    if (!plain.find()) {
      return redirected;
    }
    String argument = ArgLine.quote(plain.group(1) + file + rest(redirected, plain.end()));
    int end = plain.end() + rest(redirected, plain.end()).length();
    return redirected.substring(0, plain.start()) + argument + redirected.substring(end);
  }

  /** What follows in the same unquoted argument. */
  private static String rest(String line, int from) {
    int end = from;
    while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
      end++;
    }
    return line.substring(from, end);
  }

  /** The file that the project's own JaCoCo adds this build's tests to. */
  Optional<Path> jacocoFile() {
    Properties properties = project.getProperties();
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      for (Pattern pattern : JACOCO_FILE) {
        Matcher matcher = pattern.matcher(properties.getProperty(name));
        if (matcher.find()) {
          return Optional.of(Paths.get(matcher.group(2)));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Lets {@code @{argLine}} mean something, whether or not anything is added to it: Surefire hands
   * the name of a property that there is not to the JVM, which takes it for a file of arguments.
   */
  static void declareArgLine(MavenProject project) {
    project.getProperties().putIfAbsent(TestRun.ARG_LINE, "");
  }
}
