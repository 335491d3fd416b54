package io.palus.maven;

import io.palus.host.CoverageAgent;
import io.palus.host.TraceOptions;
import io.palus.host.WorkerJar;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.project.MavenProject;

/** The agents of the traced test run, in the property {@code argLine} and out of it again. */
final class Agents {
  static final String JACOCO = "org.jacoco:jacoco-maven-plugin";

  /** What was added to the property, so that exactly that can be taken away. */
  private static final String ADDED = "palus.agents";

  /** JaCoCo's agent as its own plugin writes it; the file is group 2. */
  private static final Pattern JACOCO_FILE =
      Pattern.compile("(-javaagent:[^\"]*?jacoco[^\"]*?=(?:[^\"\\s]*,)?destfile=)([^,\"]+)");

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

  /** Writes what the tracing agent is told and answers the arguments that attach our agents. */
  String arguments() {
    new TraceOptions(layout.traces(), project.getBasedir().toPath())
        .classes(List.of(layout.classes()))
        .testClasses(List.of(layout.testClasses()))
        .write(layout.agentOptions());
    String tracing =
        ArgLine.quote(TraceOptions.jvmArgument(WorkerJar.path(), layout.agentOptions()));
    if (projectHasJacoco()) {
      return tracing;
    }
    String coverage =
        ArgLine.quote(CoverageAgent.jvmArgument(CoverageAgent.path(), layout.executionData()));
    return tracing + " " + coverage;
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
   * Sends the execution data of the project's own JaCoCo to a file of ours. Only for the run that
   * we fork: the user's file, which may hold other runs, stays as it is.
   */
  void redirectJacoco(String property) {
    String line = project.getProperties().getProperty(property);
    if (line != null) {
      project
          .getProperties()
          .setProperty(property, redirected(line, layout.executionData().toString()));
    }
  }

  static String redirected(String line, String file) {
    return JACOCO_FILE.matcher(line).replaceAll("$1" + Matcher.quoteReplacement(file));
  }
}
