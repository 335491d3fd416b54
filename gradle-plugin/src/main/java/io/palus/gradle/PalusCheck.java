package io.palus.gradle;

import io.palus.host.OptionNames;
import io.palus.host.Palus;
import io.palus.host.PalusException;
import io.palus.host.Settings;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.work.DisableCachingByDefault;

/**
 * Runs the tests of the last run on what the code is now, and says what changed. Writes no test;
 * the engine knows where it looked at the same before.
 */
@DisableCachingByDefault(because = "it only looks")
public abstract class PalusCheck extends EarlierTask {
  private static final String OTHERWISE =
      "Where no change is named above, the code does what it did. Written tests then failed for"
          + " what surrounds them: the machine, what the build sets for their JVM, or each other."
          + " The report of palusTest has their stack traces. Delete such a test from its file,"
          + " which is yours then, or leave its class out with `excludes`.";

  /** Whether it looks because written tests failed. */
  @Internal
  public abstract Property<Boolean> getFollowsFailure();

  /**
   * Whether written tests run next: it then fails where one does, whatever {@code failOnChange}
   * says, but for those that no list names, of which the run of written tests says more.
   */
  @Internal
  public abstract Property<Boolean> getFailsAlways();

  /** None yet. */
  public PalusCheck() {
    getFollowsFailure().convention(false);
    getFailsAlways().convention(false);
  }

  /** Looks, unless there is neither a class nor a written test. */
  @TaskAction
  public void check() {
    if (!hasClasses() && !hasTests(getOutputDirectory())) {
      return;
    }
    try {
      Settings.Builder look = look();
      if (getFailsAlways().get()) {
        look.setInstead(OptionNames.FAIL_ON_CHANGE, true).set("testsRunNext", true);
      } else if (getFollowsFailure().get()) {
        // The build has failed: it is to name one cause, not two.
        look.setInstead(OptionNames.FAIL_ON_CHANGE, true);
      }
      Settings settings = look.build();
      getLogger().info("{}", settings);
      Palus.compare(settings, GradleConsole.working(getLogger()));
      if (getFollowsFailure().get()) {
        getLogger().lifecycle(OTHERWISE);
      }
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }
}
