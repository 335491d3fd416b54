package io.palus.gradle;

import java.util.ArrayList;
import java.util.List;
import org.gradle.api.GradleException;
import org.gradle.api.Task;
import org.gradle.api.specs.CompositeSpec;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.testing.Test;

/**
 * Whether tests may run at all: where the build script switches a test task off, nobody runs its
 * tests under another name, for they may need what is not there, or change what is.
 */
final class Conditions {
  private Conditions() {}

  /** Has a copy run only where the task itself would. */
  static void copy(Test from, Test to) {
    String name = from.getName();
    if (!from.getEnabled()) {
      to.setEnabled(false);
      to.getLogger().warn(text(name, "is disabled"));
    }
    for (Spec<? super Task> condition : of(from)) {
      to.onlyIf(new Told(condition, name));
    }
  }

  /** What the build script says; Gradle's own comes first, whether that very task is enabled. */
  private static List<Spec<? super Task>> of(Test task) {
    Object all;
    try {
      // What it gives has another type in each Gradle.
      all = task.getClass().getMethod("getOnlyIf").invoke(task);
    } catch (ReflectiveOperationException e) {
      throw new GradleException("cannot copy `onlyIf` of " + task.getPath(), e);
    }
    List<Spec<? super Task>> said = new ArrayList<>();
    if (all instanceof CompositeSpec) {
      @SuppressWarnings("unchecked")
      CompositeSpec<Task> composite = (CompositeSpec<Task>) all;
      said.addAll(composite.getSpecs());
      if (!said.isEmpty()) {
        said.remove(0);
      }
    }
    return said;
  }

  private static String text(String task, String why) {
    return "palus: the task `" + task + "` " + why + ", so its tests are not traced";
  }

  /** A condition that says so where it does not hold. */
  private static final class Told implements Spec<Task> {
    private final Spec<? super Task> condition;
    private final String name;

    Told(Spec<? super Task> condition, String name) {
      this.condition = condition;
      this.name = name;
    }

    @Override
    public boolean isSatisfiedBy(Task task) {
      boolean holds = condition.isSatisfiedBy(task);
      if (!holds) {
        task.getLogger().warn(text(name, "is not to run now (`onlyIf`)"));
      }
      return holds;
    }
  }
}
