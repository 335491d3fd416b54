package io.palus.gradle;

import io.palus.host.Palus;
import io.palus.host.PalusException;
import io.palus.host.Settings;
import org.gradle.api.tasks.TaskAction;
import org.gradle.work.DisableCachingByDefault;

/**
 * Moves the written tests of the chosen classes that pass on what the code is now into the
 * project's own test sources, where they are its own from then on. Overwrites nothing.
 */
@DisableCachingByDefault(because = "it moves files into the project")
public abstract class PalusPromote extends EarlierTask {
  /** Looks, and moves what passes. */
  @TaskAction
  public void promote() {
    try {
      Settings settings = look().build();
      getLogger().info("{}", settings);
      Palus.promote(settings, GradleConsole.answering(getLogger()));
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }
}
