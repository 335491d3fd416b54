package io.palus.maven;

import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Runs the tests of the last run on what the code is now, and says what changed. Writes no test.
 * For the command line: {@code mvn palus:check}.
 */
@Mojo(name = "check", requiresDependencyResolution = ResolutionScope.TEST, threadSafe = true)
@Execute(lifecycle = "palus-check", phase = LifecyclePhase.TEST_COMPILE)
public final class CheckMojo extends PalusMojo {
  @Override
  void run() {
    new Generation(this).compare();
  }
}
