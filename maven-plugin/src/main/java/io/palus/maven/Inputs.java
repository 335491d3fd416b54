package io.palus.maven;

import io.palus.host.PalusException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;

/** What a test JVM of this project gets: class path, arguments, JDK. */
final class Inputs {
  private static final Set<String> OF_PLUGINS =
      Set.of("argLine", "test", "skipTests", "skipITs", "it.test", "forkCount", "reuseForks");

  private static final List<String> BEGIN_OF_PLUGINS =
      List.of("palus.", "maven.", "surefire.", "failsafe.", "jacoco.", "style.", "env.");

  private final MavenProject project;
  private final MavenSession session;
  private final TestRun tests;

  Inputs(MavenProject project, MavenSession session, TestRun tests) {
    this.project = project;
    this.session = session;
    this.tests = tests;
  }

  /** The test class path in order, compiled tests and classes first. */
  List<String> classPath() {
    try {
      return tests.classPath();
    } catch (DependencyResolutionRequiredException e) {
      throw unresolved(e);
    }
  }

  /** Fails where the tests would fail for being traced. */
  void checkTraceable() {
    try {
      tests.checkTraceable();
    } catch (DependencyResolutionRequiredException e) {
      throw unresolved(e);
    }
  }

  private static PalusException unresolved(DependencyResolutionRequiredException e) {
    return new PalusException(
        PalusException.Kind.INTERNAL, "Maven has not resolved the test class path", "", e);
  }

  /** The arguments of the project's test JVM, without agents. */
  List<String> jvmArguments() {
    return tests.jvmArguments(session);
  }

  /**
   * Properties of the command line as arguments of a JVM: Surefire hands them to every test JVM. No
   * test is to rest on them, as the next command may have others. Those of Maven and its plugins
   * are left out.
   */
  List<String> commandLineProperties() {
    Properties properties = session.getUserProperties();
    List<String> arguments = new ArrayList<>();
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      if (!OF_PLUGINS.contains(name) && BEGIN_OF_PLUGINS.stream().noneMatch(name::startsWith)) {
        arguments.add("-D" + name + "=" + properties.getProperty(name));
      }
    }
    return arguments;
  }

  /** All that is said of the project's tests: which of them run, and of their JVM. */
  List<String> testRun(ToolchainManager toolchains) {
    List<String> all = new ArrayList<>(jvmArguments());
    all.addAll(commandLineProperties());
    Path home = javaHome(toolchains);
    all.add("JDK " + home + " " + (isOurs(home) ? System.getProperty("java.version") : ""));
    all.addAll(tests.choice());
    return all;
  }

  private static boolean isOurs(Path home) {
    return home.equals(Paths.get(System.getProperty("java.home")));
  }

  /** The JDK that the project's tests run on. */
  Path javaHome(ToolchainManager toolchains) {
    String java = tests.jvm().orElse(null);
    Toolchain toolchain = toolchains.getToolchainFromBuildContext("jdk", session);
    if (java == null && toolchain != null) {
      java = toolchain.findTool("java");
    }
    if (java != null) {
      Path home = Paths.get(java).toAbsolutePath().getParent();
      home = home == null ? null : home.getParent();
      if (home != null && Files.isDirectory(home.resolve("bin"))) {
        return home;
      }
    }
    return Paths.get(System.getProperty("java.home"));
  }
}
