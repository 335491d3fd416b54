package io.palus.gradle;

import org.gradle.api.Task;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.testing.Test;

/**
 * Keeps written tests from running where Palus has no sandbox that they could run in before: they
 * were verified on other code if anything has changed since, and may do anything then.
 */
final class LeftOut implements Spec<Task> {
  private final String why;

  /** With what is said to whoever has written tests. */
  LeftOut(String why) {
    this.why = why;
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
