package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.gradle.api.Project;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.Test;

class StackArgumentTest {
  @Test
  void a_traced_task_has_four_times_the_stack_behind_all_that_is_said_of_it() {
    Project project = ProjectBuilder.builder().build();
    org.gradle.api.tasks.testing.Test task =
        project.getTasks().create("traced", org.gradle.api.tasks.testing.Test.class);
    task.jvmArgs("-Xss512k", "-ea");
    task.getJvmArgumentProviders().add(() -> List.of("-Xss4m"));
    new StackArgument.Adding().execute(task);
    List<String> arguments = task.getAllJvmArgs();
    assertEquals("-Xss16384k", arguments.get(arguments.indexOf("-Xss4m") + 1));
    assertEquals(List.of("-Xss512k"), task.getJvmArgs(), "what was said stays");
  }
}
