package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.gradle.api.Project;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackArgumentTest {
  @TempDir private Path folder;

  @Test
  void a_traced_task_has_four_times_the_stack_behind_all_that_is_said_of_it() {
    Project project = EvaluatedProject.in(folder, p -> {});
    org.gradle.api.tasks.testing.Test task =
        (org.gradle.api.tasks.testing.Test) project.getTasks().getByName("palusTrace");
    task.jvmArgs("-Xss512k", "-ea");
    task.getJvmArgumentProviders().add(() -> List.of("-Xss4m"));
    new StackArgument.Adding().execute(task);
    List<String> arguments = task.getAllJvmArgs();
    assertEquals("-Xss16384k", arguments.get(arguments.indexOf("-Xss4m") + 1));
    assertEquals(List.of("-Xss512k"), task.getJvmArgs(), "what was said stays");
    int providers = task.getJvmArgumentProviders().size();
    TraceArguments.takeFrom(task);
    new StackArgument.Adding().execute(task);
    assertEquals(providers - 1, task.getJvmArgumentProviders().size(), "not without the agent");
  }
}
