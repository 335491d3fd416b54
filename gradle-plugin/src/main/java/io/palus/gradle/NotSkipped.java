package io.palus.gradle;

import org.gradle.api.Task;
import org.gradle.api.provider.Property;
import org.gradle.api.specs.Spec;

/** Lets a task run unless the user said {@code skip}. */
final class NotSkipped implements Spec<Task> {
  private final Property<Boolean> skip;

  NotSkipped(Property<Boolean> skip) {
    this.skip = skip;
  }

  @Override
  public boolean isSatisfiedBy(Task task) {
    return !skip.get();
  }
}
