package io.palus.gradle;

import org.gradle.api.InvalidUserDataException;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.UnknownTaskException;
import org.gradle.api.plugins.JavaPlugin;
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
    project.getPlugins().withType(JavaPlugin.class, java -> register(project, extension));
  }

  private static void register(Project project, PalusExtension extension) {
    PalusTasks tasks = new PalusTasks(project, extension);
    tasks.register();
    // Only now the build script has said which task is traced and how; the tasks themselves stay
    // lazy.
    project.afterEvaluate(
        evaluated -> tasks.connect(automatic(extension), traced(evaluated, extension)));
  }

  private static String automatic(PalusExtension extension) {
    String automatic = extension.getAutomatic().get();
    if (!PalusExtension.AUTOMATIC.contains(automatic)) {
      throw new InvalidUserDataException(
          "the setting `automatic` has the value `"
              + automatic
              + "`. Allowed: "
              + String.join(", ", PalusExtension.AUTOMATIC));
    }
    return automatic;
  }

  private static TaskProvider<Test> traced(Project project, PalusExtension extension) {
    String name = extension.getTestTask().get();
    try {
      return project.getTasks().named(name, Test.class);
    } catch (UnknownTaskException e) {
      throw new InvalidUserDataException(
          "the setting `testTask` has the value `"
              + name
              + "`. Allowed: "
              + String.join(", ", project.getTasks().withType(Test.class).getNames()),
          e);
    }
  }
}
