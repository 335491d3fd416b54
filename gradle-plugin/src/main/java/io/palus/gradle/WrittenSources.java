package io.palus.gradle;

import java.util.List;
import org.gradle.api.Action;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceTask;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.VerificationTask;

/**
 * What reads the written sources runs after what writes them, where both run. Linters of other
 * plugins, one task per source set, are off for this one: nobody could mend what they find.
 */
final class WrittenSources implements Action<SourceTask> {
  private final SourceSet written;
  private final TaskProvider<?> generate;
  private final TaskProvider<?> accept;

  WrittenSources(SourceSet written, TaskProvider<?> generate, TaskProvider<?> accept) {
    this.written = written;
    this.generate = generate;
    this.accept = accept;
  }

  @Override
  public void execute(SourceTask task) {
    boolean isNamedSo = task.getName().endsWith("PalusTest");
    if (isNamedSo || isCompile(task)) {
      task.mustRunAfter(generate, accept);
    }
    if (isNamedSo && task instanceof VerificationTask) {
      task.setEnabled(false);
    }
  }

  private boolean isCompile(SourceTask task) {
    return List.of("java", "kotlin", "groovy").stream()
        .anyMatch(language -> task.getName().equals(written.getCompileTaskName(language)));
  }
}
