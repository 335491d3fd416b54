package io.palus.maven;

import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Compares what the code does with what it did in another revision: compiles that, generates tests
 * for the classes that changed and those that use them, on both sides, and reports those that pass
 * on one side and fail on the other. Writes no test. For the command line: {@code mvn palus:diff
 * -Dpalus.since=main}.
 */
@Mojo(name = "diff", requiresDependencyResolution = ResolutionScope.TEST, threadSafe = true)
@Execute(lifecycle = "palus-diff", phase = LifecyclePhase.TEST)
public final class DiffMojo extends PalusMojo {
  /** The revision to compare with, as Git knows it, such as {@code main} or {@code HEAD~1}. */
  @Parameter(property = "palus.since")
  private String since;

  @Override
  void run() {
    new Generation(this).differences(since);
  }
}
