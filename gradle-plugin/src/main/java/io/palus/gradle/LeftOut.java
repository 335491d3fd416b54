package io.palus.gradle;

import io.palus.host.Palus;
import java.util.function.BiConsumer;
import org.gradle.api.Action;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.file.FileTree;
import org.gradle.api.logging.Logger;
import org.gradle.api.provider.Provider;
import org.gradle.api.specs.Spec;
import org.gradle.api.specs.Specs;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.testing.Test;

/**
 * A build in which Palus cannot work: it warns of that once, and runs the project's own tests as
 * without Palus. Written ones do not run: they were verified on other code if anything has changed
 * since, and may do anything where no sandbox looks at them first.
 */
final class LeftOut {
  private final String said;
  private final Provider<Once> once;

  LeftOut(String why, Project project) {
    said = Palus.leavesAlone(why);
    once = Once.of(project.getGradle());
  }

  /** Has the project's own tests say so, which were to be traced. */
  void sayBefore(TaskProvider<Test> traced) {
    traced.configure(
        task -> {
          task.usesService(once);
          task.doFirst(new Saying(said, once));
        });
  }

  /** Keeps written tests from being compiled and from running; with any there, that is said. */
  void keep(TaskProvider<?> compile, TaskProvider<?> run, FileTree tests) {
    compile.configure(task -> task.onlyIf(Specs.satisfyNone()));
    run.configure(
        task -> {
          task.usesService(once);
          task.onlyIf(new Never(new Saying(said, once), tests));
        });
  }

  /** Says it, unless somebody did. */
  private static final class Saying implements Action<Task> {
    private final String said;
    private final Provider<? extends BiConsumer<Logger, String>> once;

    private Saying(String said, Provider<? extends BiConsumer<Logger, String>> once) {
      this.said = said;
      this.once = once;
    }

    @Override
    public void execute(Task task) {
      once.get().accept(task.getLogger(), said);
    }
  }

  /** Lets no written test run. */
  private static final class Never implements Spec<Task> {
    private final Saying saying;
    private final FileTree tests;

    private Never(Saying saying, FileTree tests) {
      this.saying = saying;
      this.tests = tests;
    }

    @Override
    public boolean isSatisfiedBy(Task task) {
      if (!tests.isEmpty()) {
        saying.execute(task);
      }
      return false;
    }
  }
}
