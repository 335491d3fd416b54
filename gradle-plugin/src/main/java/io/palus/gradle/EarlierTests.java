package io.palus.gradle;

import java.io.Serializable;
import java.nio.file.Path;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;

/**
 * Whether the folder that a {@link PalusGenerate} writes holds tests of an earlier run. They run
 * before any is replaced; a build cache would replace them unseen.
 */
final class EarlierTests implements Spec<Task>, Serializable {
  private static final long serialVersionUID = 1L;

  @Override
  public boolean isSatisfiedBy(Task task) {
    PalusGenerate generate = (PalusGenerate) task;
    Path folder = generate.getOutputDirectory().get().getAsFile().toPath();
    return folder.resolve(EditedTests.MANIFEST).toFile().length() > 0;
  }
}
