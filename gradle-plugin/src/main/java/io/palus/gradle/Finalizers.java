package io.palus.gradle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.gradle.api.Task;
import org.gradle.api.reporting.Reporting;
import org.gradle.api.tasks.VerificationTask;
import org.gradle.api.tasks.testing.Test;
import org.gradle.testing.jacoco.tasks.JacocoBase;

/**
 * What runs after a test task whatever becomes of it, as what stops a server that another task
 * started: so only where the task depends on others by name. Not what reports on results or
 * verifies them, as JaCoCo's tasks do; not what needs the tests themselves to run, directly or by
 * way of others; and nothing that is or needs a task of ours.
 */
final class Finalizers implements Callable<List<Task>> {
  private final Test tests;

  Finalizers(Test tests) {
    this.tests = tests;
  }

  @Override
  public List<Task> call() {
    if (tests.getDependsOn().isEmpty()) {
      return List.of(); // nothing was started that is to be stopped
    }
    List<Task> all = new ArrayList<>(tests.getFinalizedBy().getDependencies(tests));
    all.removeIf(task -> looksAtResults(task) || needsTests(task));
    return all;
  }

  private static boolean looksAtResults(Task task) {
    return task instanceof Reporting
        || task instanceof VerificationTask
        || task instanceof JacocoBase;
  }

  private boolean needsTests(Task finalizer) {
    Set<Task> seen = new HashSet<>();
    Deque<Task> open = new ArrayDeque<>(List.of(finalizer));
    while (!open.isEmpty()) {
      Task task = open.pop();
      boolean isOurs = task.getName().toLowerCase(Locale.ROOT).contains("palus");
      if (isOurs || task.equals(tests)) {
        return true;
      }
      if (seen.add(task)) {
        open.addAll(task.getTaskDependencies().getDependencies(task));
      }
    }
    return false;
  }
}
