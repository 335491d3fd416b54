package io.palus.maven;

import io.palus.host.PalusException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;

/** What a test JVM of this project gets: class path, arguments, JDK. */
final class Inputs {
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
      List<String> path = new ArrayList<>(project.getTestClasspathElements());
      path.addAll(tests.additionalClassPath());
      return path;
    } catch (DependencyResolutionRequiredException e) {
      throw new PalusException(
          PalusException.Kind.INTERNAL, "Maven has not resolved the test class path", "", e);
    }
  }

  /** The arguments of the project's test JVM, without agents. */
  List<String> jvmArguments() {
    return tests.jvmArguments(session);
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
