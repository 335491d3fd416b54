package io.palus.gradle;

import io.palus.host.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.util.List;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.testing.Test;

/**
 * Whether the last run of the project's own tests was traced, as it was to be. A file notes where
 * it was not: then that run is to be done again, and nothing is written from it.
 */
final class WasTraced implements Spec<Task>, Serializable {
  private static final long serialVersionUID = 1L;

  private final File note;

  WasTraced(Task tests) {
    note = new File(tests.getTemporaryDir(), "palus-untraced");
  }

  /**
   * Has tasks that write from that run come after it, and do nothing where it was not traced,
   * unless the command line asks for tests: then they say what is wrong.
   */
  static void decides(TaskProvider<Test> tests, List<TaskProvider<?>> tasks, Project project) {
    boolean isAsked = Asked.byName("palusGenerate", project);
    for (TaskProvider<?> each : tasks) {
      each.configure(
          task -> {
            task.mustRunAfter(tests);
            if (!isAsked) {
              task.onlyIf(new WasTraced(tests.get()));
            }
          });
    }
  }

  @Override
  public boolean isSatisfiedBy(Task task) {
    return !note.exists();
  }

  void yes() throws IOException {
    Files.deleteIfExists(note.toPath());
  }

  void no() throws IOException {
    PrivateFiles.write(note.toPath(), new byte[0]);
  }
}
