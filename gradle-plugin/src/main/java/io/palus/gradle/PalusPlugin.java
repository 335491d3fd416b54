package io.palus.gradle;

import java.util.ArrayList;
import java.util.List;
import org.gradle.api.InvalidUserDataException;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.UnknownTaskException;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.testing.Test;

/**
 * Adds the extension {@code palus} to every project, and tasks where the {@code java} plugin is
 * applied.
 */
public final class PalusPlugin implements Plugin<Project> {
  @Override
  public void apply(Project project) {
    PalusExtension extension = project.getExtensions().create("palus", PalusExtension.class);
    project.getPluginManager().withPlugin("java", java -> register(project, extension));
  }

  private static void register(Project project, PalusExtension extension) {
    PalusTasks tasks = new PalusTasks(project, extension);
    // Only when the build script has run it is known which task is traced and how; the tasks
    // themselves stay lazy.
    if (project.getState().getExecuted()) {
      connect(project, extension, tasks);
    } else {
      // Behind what the script and other plugins do then: a build script may have made our tasks
      // already, and then they become what the user's are at this very moment.
      project.afterEvaluate(
          evaluated -> evaluated.afterEvaluate(last -> connect(last, extension, tasks)));
    }
  }

  private static void connect(Project project, PalusExtension extension, PalusTasks tasks) {
    Automatic automatic = Automatic.of(extension.getAutomatic().get());
    boolean skip = extension.getSkip().get();
    tasks.connect(skip ? Automatic.OFF : automatic, traced(project, extension));
  }

  private static TaskProvider<Test> traced(Project project, PalusExtension extension) {
    String name = extension.getTestTask().get();
    try {
      return project.getTasks().named(name, Test.class);
    } catch (UnknownTaskException | InvalidUserDataException e) {
      List<String> allowed = new ArrayList<>(project.getTasks().withType(Test.class).getNames());
      allowed.removeAll(PalusTasks.TEST_TASKS);
      throw new InvalidUserDataException(
          "the setting `testTask` has the value `"
              + name
              + "`, which is no test task of "
              + project
              + ". Allowed: "
              + String.join(", ", allowed),
          e);
    }
  }
}
