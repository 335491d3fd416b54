package io.palus.gradle;

import java.util.ArrayList;
import java.util.List;
import org.gradle.api.GradleException;
import org.gradle.api.Task;
import org.gradle.api.provider.Provider;
import org.gradle.api.specs.CompositeSpec;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.testing.Test;

/**
 * Whether tests may run at all: where the build script switches a test task off, nobody runs its
 * tests under another name, for they may need what is not there, or change what is. What the script
 * says is asked when the copy is to run, never before.
 */
final class Conditions implements Spec<Task> {
  /** Like the conditions asked for when the copy runs; a configuration cache keeps the answer. */
  private final Provider<Boolean> enabled;

  private final Provider<List<Spec<? super Task>>> conditions;
  private final String path;

  /**
   * The task that the conditions are about. A configuration cache takes no task that holds another:
   * there they are asked about the copy.
   */
  private final transient Test about;

  private Conditions(Test about) {
    this.about = about;
    enabled = about.getProject().provider(about::getEnabled);
    conditions = about.getProject().provider(() -> of(about));
    path = about.getPath();
  }

  /** Has a copy run only where the task itself would. */
  static void copy(Test from, Test to) {
    to.onlyIf(new Conditions(from));
  }

  @Override
  public boolean isSatisfiedBy(Task copy) {
    Task asked = about == null ? copy : about;
    boolean runs =
        enabled.get() && conditions.get().stream().allMatch(each -> each.isSatisfiedBy(asked));
    if (!runs) {
      String text =
          "palus: {} is switched off (`enabled` or `onlyIf`), so its tests are not traced";
      copy.getLogger().warn(text, path);
    }
    return runs;
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
}
