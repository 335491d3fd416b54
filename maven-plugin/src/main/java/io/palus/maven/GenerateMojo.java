package io.palus.maven;

import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Runs the project's tests under the tracing agent, learns from them how its objects are used, and
 * writes JUnit tests that compile and pass. For the command line: {@code mvn palus:generate}. Needs
 * no setting and changes nothing in the pom.
 */
@Mojo(name = "generate", requiresDependencyResolution = ResolutionScope.TEST, threadSafe = true)
@Execute(lifecycle = "palus", phase = LifecyclePhase.TEST)
public final class GenerateMojo extends PalusMojo {
  @Override
  void run() {
    new Generation(this).run();
  }
}
