package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.internal.TaskInternal;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnfinishedTest {
  @TempDir private Path folder;
  private TaskProvider<Task> then;
  private Task watched;

  /** As in a build that begins. */
  private void build() {
    Project project = ProjectBuilder.builder().withProjectDir(folder.toFile()).build();
    TaskProvider<Task> first = project.getTasks().register("first");
    then = project.getTasks().register("then");
    Unfinished.follow(List.of(first), then, project);
    watched = first.get();
  }

  private boolean follows() {
    TaskInternal task = (TaskInternal) then.get();
    return task.getOnlyIf().isSatisfiedBy(task);
  }

  @Test
  void another_task_follows_one_that_did_not_end_well_and_no_other() {
    build();
    assertFalse(follows());
    watched.getActions().get(0).execute(watched);
    assertTrue(follows());
    watched.getActions().get(1).execute(watched);
    assertFalse(follows());
  }

  @Test
  void a_build_that_was_killed_leaves_nothing_for_the_next() {
    build();
    watched.getActions().get(0).execute(watched);
    assertTrue(follows());
    build();
    assertFalse(follows());
  }
}
