package io.palus.gradle;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.gradle.api.Action;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.provider.Provider;
import org.gradle.api.services.BuildService;
import org.gradle.api.services.BuildServiceParameters;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.TaskProvider;

/**
 * Has another task run where one began and did not end well. A task that begins is noted, and
 * crossed out when it ends: no task may ask how another one ended while there is a configuration
 * cache. A service holds the notes, so they end with the build, also with one that is killed.
 */
final class Unfinished {
  private Unfinished() {}

  /** Has {@code then} run after each of the tasks that fails, and only there. */
  static void follow(List<TaskProvider<?>> tasks, TaskProvider<?> then, Project project) {
    // One for each module: in a build that loads this plugin twice, that of another module is of
    // a class of another loader.
    Provider<Notes> notes =
        project
            .getGradle()
            .getSharedServices()
            .registerIfAbsent(
                "palusUnfinished:" + project.getProjectDir(), Notes.class, spec -> {});
    for (TaskProvider<?> each : tasks) {
      each.configure(
          task -> {
            task.usesService(notes);
            task.doFirst(new Begun(notes));
            task.doLast(new Ended(notes));
            task.finalizedBy(then);
          });
    }
    then.configure(
        task -> {
          task.usesService(notes);
          task.onlyIf(new AnyBegun(notes));
        });
  }

  /** The names of tasks of this build that began and have not ended. */
  public abstract static class Notes implements BuildService<BuildServiceParameters.None> {
    private final Set<String> begun = ConcurrentHashMap.newKeySet();
  }

  /** Notes a task. */
  private static final class Begun implements Action<Task> {
    private final Provider<Notes> notes;

    private Begun(Provider<Notes> notes) {
      this.notes = notes;
    }

    @Override
    public void execute(Task task) {
      notes.get().begun.add(task.getName());
    }
  }

  /** Crosses a task out. */
  private static final class Ended implements Action<Task> {
    private final Provider<Notes> notes;

    private Ended(Provider<Notes> notes) {
      this.notes = notes;
    }

    @Override
    public void execute(Task task) {
      notes.get().begun.remove(task.getName());
    }
  }

  /** Whether a task is noted. */
  private static final class AnyBegun implements Spec<Task> {
    private final Provider<Notes> notes;

    private AnyBegun(Provider<Notes> notes) {
      this.notes = notes;
    }

    @Override
    public boolean isSatisfiedBy(Task task) {
      return !notes.get().begun.isEmpty();
    }
  }
}
