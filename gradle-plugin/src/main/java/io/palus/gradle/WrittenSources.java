package io.palus.gradle;

import java.util.List;
import org.gradle.api.Action;
import org.gradle.api.Task;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceTask;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.VerificationTask;
import org.gradle.api.tasks.testing.AbstractTestTask;

/**
 * What reads the written sources runs after what writes them, where both run. Linters of other
 * plugins, one task per source set, are off for this one: nobody could mend what they find. Some
 * read sources, others classes (SpotBugs): what they share is that they verify.
 */
final class WrittenSources implements Action<Task> {
  private static final String SUFFIX = "PalusTest";

  private final SourceSet written;
  private final TaskProvider<?> generate;
  private final TaskProvider<?> accept;

  WrittenSources(SourceSet written, TaskProvider<?> generate, TaskProvider<?> accept) {
    this.written = written;
    this.generate = generate;
    this.accept = accept;
  }

  @Override
  public void execute(Task task) {
    boolean isNamedSo = task.getName().endsWith(SUFFIX);
    boolean isLinter =
        isNamedSo && task instanceof VerificationTask && !(task instanceof AbstractTestTask);
    if (isLinter || task instanceof SourceTask && (isNamedSo || isCompile(task))) {
      task.mustRunAfter(generate, accept);
    }
    if (isLinter) {
      task.setEnabled(false);
    }
  }

  private boolean isCompile(Task task) {
    return List.of("java", "kotlin", "groovy").stream()
        .anyMatch(language -> task.getName().equals(written.getCompileTaskName(language)));
  }
}
