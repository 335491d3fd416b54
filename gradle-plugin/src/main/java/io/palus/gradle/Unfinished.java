package io.palus.gradle;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.gradle.api.Action;
import org.gradle.api.Task;
import org.gradle.api.file.Directory;
import org.gradle.api.provider.Provider;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.TaskProvider;

/**
 * Has another task run where one began and did not end well. A task that begins leaves a note, and
 * takes it away when it ends: no task may ask how another one ended while there is a configuration
 * cache.
 */
final class Unfinished {
  private Unfinished() {}

  /** Has {@code then} run after each of the tasks that fails, and only there. */
  static void follow(List<TaskProvider<?>> tasks, TaskProvider<?> then, Provider<Directory> notes) {
    for (TaskProvider<?> each : tasks) {
      each.configure(
          task -> {
            task.doFirst(new Begun(notes));
            task.doLast(new Ended(notes));
            task.finalizedBy(then);
          });
    }
    then.configure(
        task -> {
          task.onlyIf(new AnyBegun(notes));
          task.doFirst(new Ended(notes));
        });
  }

  /** Leaves the note. */
  private static final class Begun implements Action<Task> {
    private final Provider<Directory> notes;

    private Begun(Provider<Directory> notes) {
      this.notes = notes;
    }

    @Override
    public void execute(Task task) {
      try {
        Files.createDirectories(notes.get().getAsFile().toPath());
        Files.write(notes.get().file(task.getName()).getAsFile().toPath(), new byte[0]);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Takes all notes away. */
  private static final class Ended implements Action<Task> {
    private final Provider<Directory> notes;

    private Ended(Provider<Directory> notes) {
      this.notes = notes;
    }

    @Override
    public void execute(Task task) {
      File[] left = notes.get().getAsFile().listFiles();
      for (File note : left == null ? new File[0] : left) {
        note.delete();
      }
    }
  }

  /** Whether there is a note. */
  private static final class AnyBegun implements Spec<Task> {
    private final Provider<Directory> notes;

    private AnyBegun(Provider<Directory> notes) {
      this.notes = notes;
    }

    @Override
    public boolean isSatisfiedBy(Task task) {
      String[] left = notes.get().getAsFile().list();
      return left != null && left.length > 0;
    }
  }
}
