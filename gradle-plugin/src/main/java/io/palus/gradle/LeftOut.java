package io.palus.gradle;

import io.palus.host.Palus;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.testing.Test;

/**
 * Keeps written tests from running where Palus has no sandbox that they could run in before: they
 * were verified on other code if anything has changed since, and may do anything then.
 */
final class LeftOut implements Spec<Task> {
  private final String why;

  private LeftOut(String why) {
    this.why = why;
  }

  /** Has a task run after the one that looks at its tests first, or not at all. */
  static void unlessAfter(Object guard, Test task) {
    Palus.missing()
        .ifPresentOrElse(why -> task.onlyIf(new LeftOut(why)), () -> task.dependsOn(guard));
  }

  @Override
  public boolean isSatisfiedBy(Task task) {
    if (!((Test) task).getTestClassesDirs().getAsFileTree().isEmpty()) {
      task.getLogger()
          .warn(
              "Palus: written tests are left out, since nothing can run them in a sandbox first:"
                  + " {}",
              why);
    }
    return false;
  }
}
