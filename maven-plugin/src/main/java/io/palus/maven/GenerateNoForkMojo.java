package io.palus.maven;

import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Writes tests from the trace that this build's own test phase has just made. For {@code
 * <execution>}s, beside {@code prepare} and {@code test}.
 */
@Mojo(
    name = "generate-no-fork",
    defaultPhase = LifecyclePhase.PREPARE_PACKAGE,
    requiresDependencyResolution = ResolutionScope.TEST,
    threadSafe = true)
public final class GenerateNoForkMojo extends PalusMojo {
  @Override
  void run() {
    // What runs tests from now on, as Failsafe does, is none of the traced run.
    new Agents(project(), layout()).remove();
    if (!testRun().isWhole(session())) {
      getLog().info("Palus: not all tests ran, so none are written");
      return;
    }
    new Generation(this).run();
  }

  @Override
  boolean isOfBuild() {
    return !isAskedFor();
  }
}
