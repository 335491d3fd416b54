package io.palus.maven;

import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Replaces the tests of the last run that fail on what the code is now: their new behaviour is
 * accepted. Every other test and file stays as it is. For the command line: {@code mvn
 * palus:accept}.
 */
@Mojo(name = "accept", requiresDependencyResolution = ResolutionScope.TEST, threadSafe = true)
@Execute(lifecycle = "palus", phase = LifecyclePhase.TEST)
public final class AcceptMojo extends PalusMojo {
  @Override
  void run() {
    new Generation(this).accept();
  }
}
