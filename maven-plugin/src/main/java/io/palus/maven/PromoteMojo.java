package io.palus.maven;

import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Moves the written tests of the chosen classes that pass on what the code is now into the
 * project's own test sources, where they are its own from then on. Overwrites nothing. For the
 * command line: {@code mvn palus:promote -Dpalus.classes=shop.*}.
 */
@Mojo(name = "promote", requiresDependencyResolution = ResolutionScope.TEST, threadSafe = true)
@Execute(lifecycle = "palus-check", phase = LifecyclePhase.TEST_COMPILE)
public final class PromoteMojo extends PalusMojo {
  @Override
  void run() {
    new Generation(this).promote();
  }
}
