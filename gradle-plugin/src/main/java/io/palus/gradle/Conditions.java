package io.palus.gradle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
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

  /**
   * Has a copy run only where the task itself would. A configuration cache takes no task that holds
   * another, so there the conditions are asked while it is filled: what they read is an input of
   * it.
   */
  static void copy(Test from, Test to) {
    BooleanSupplier runs = () -> from.getEnabled() && holdAll(of(from), from);
    if (to.getProject().getGradle().getStartParameter().isConfigurationCacheRequested()) {
      boolean now = runs.getAsBoolean();
      to.onlyIf(new Told(now, from.getPath()));
    } else {
      to.onlyIf(task -> new Told(runs.getAsBoolean(), from.getPath()).isSatisfiedBy(task));
    }
  }

  private static boolean holdAll(List<Spec<? super Task>> conditions, Task task) {
    return conditions.stream().allMatch(condition -> condition.isSatisfiedBy(task));
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

  /** Says so where the tests are not to run. */
  private static final class Told implements Spec<Task> {
    private final boolean runs;
    private final String path;

    Told(boolean runs, String path) {
      this.runs = runs;
      this.path = path;
    }

    @Override
    public boolean isSatisfiedBy(Task task) {
      if (!runs) {
        String text =
            "palus: {} is switched off (`enabled` or `onlyIf`), so its tests are not traced";
        task.getLogger().warn(text, path);
      }
      return runs;
    }
  }
}
