package io.palus.host;

import java.net.URL;
import java.nio.file.Path;
import java.util.List;

/**
 * JaCoCo as this plugin brings it along: its agent as a file, and the class path of {@link
 * CoverageMain}, which is not the plugin's own: Gradle rewrites the classes of plugins to call into
 * Gradle, and they run nowhere else.
 */
public final class CoverageAgent {
  private static final String READER = "io/palus/host/palus-coverage.jar";

  private CoverageAgent() {}

  /** The agent's jar as a file. */
  public static Path path() {
    URL jar;
    try {
      jar = org.jacoco.agent.AgentJar.getResource();
    } catch (AssertionError e) {
      throw new PalusException(
          PalusException.Kind.INTERNAL,
          "the jar of JaCoCo's agent is missing",
          "Is the plugin's class path damaged?",
          e);
    }
    return CachedResource.extract(jar, "jacocoagent.jar", false);
  }

  /**
   * The argument that attaches the agent; it adds to the file where that exists.
   *
   * @param classes patterns of {@link CoveredClasses}
   */
  public static String jvmArgument(Path agent, Path executionData, List<String> classes) {
    String includes = classes.isEmpty() ? "" : ",includes=" + String.join(":", classes);
    return "-javaagent:"
        + agent
        + "=destfile="
        + executionData
        + ",append=true,inclnolocationclasses=false"
        + includes;
  }

  /** What {@link CoverageMain} needs to run in a JVM of its own. */
  public static List<Path> classPath() {
    Path jar = CachedResource.extract(READER, "palus-coverage.jar", false);
    if (jar == null) {
      throw new PalusException(
          PalusException.Kind.INTERNAL,
          "resource " + READER + " is missing",
          "Is the jar of palus-host damaged?");
    }
    return List.of(jar);
  }
}
