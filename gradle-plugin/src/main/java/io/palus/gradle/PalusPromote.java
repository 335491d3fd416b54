package io.palus.gradle;

import io.palus.host.Palus;
import io.palus.host.PalusException;
import org.gradle.api.tasks.TaskAction;
import org.gradle.work.DisableCachingByDefault;

/**
 * Moves the written tests of the chosen classes into the project's own test sources, where they are
 * its own from then on. Overwrites nothing.
 */
@DisableCachingByDefault(because = "it moves files into the project")
public abstract class PalusPromote extends CheckSettings {
  /** Checks what is set, and moves. */
  @Override
  @TaskAction
  public void check() {
    super.check();
    try {
      Palus.promote(options(), GradleConsole.answering(getLogger()));
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }
}
