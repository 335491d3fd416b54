package io.palus.gradle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.gradle.api.Task;
import org.gradle.api.tasks.testing.Test;

/**
 * What runs after a test task whatever becomes of it, as what stops a server that another task
 * started; not what works on that task's results, as a report of its coverage: it would run the
 * tests themselves.
 */
final class Finalizers implements Callable<List<Task>> {
  private final Test tests;

  Finalizers(Test tests) {
    this.tests = tests;
  }

  @Override
  public List<Task> call() {
    List<Task> all = new ArrayList<>(tests.getFinalizedBy().getDependencies(tests));
    all.removeIf(task -> task.getTaskDependencies().getDependencies(task).contains(tests));
    return all;
  }
}
