package io.palus.gradle;

import io.palus.host.OptionNames;
import java.io.Serializable;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;

/** Whether a {@link PalusGenerate} is, or is not, to write the baseline of findings. */
final class BaselineWritten implements Spec<Task>, Serializable {
  private static final long serialVersionUID = 1L;

  private final boolean wanted;

  BaselineWritten(boolean wanted) {
    this.wanted = wanted;
  }

  @Override
  public boolean isSatisfiedBy(Task task) {
    PalusGenerate generate = (PalusGenerate) task;
    String given = generate.getOptions().get().get(OptionNames.UPDATE_BASELINE);
    return wanted == "true".equalsIgnoreCase(given);
  }
}
