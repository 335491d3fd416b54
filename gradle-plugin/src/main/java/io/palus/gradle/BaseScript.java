package io.palus.gradle;

import io.palus.host.PalusException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the build of another revision is told beside its own scripts: with the classes of a module,
 * all of the modules that it runs with is built. Compiling needs only their classes, and without
 * their resources they would do other things there than here. What cannot be resolved there is left
 * out, for compiling says what it lacks.
 */
final class BaseScript {
  private BaseScript() {}

  /**
   * Writes it.
   *
   * @param task that makes the module's classes
   * @param configuration what the module runs with
   */
  static Path write(Path folder, String task, String configuration) {
    Path script = folder.resolve("base.gradle");
    try {
      return Files.writeString(
          script,
          String.join(
              "\n",
              "gradle.projectsEvaluated {",
              "  def task = gradle.rootProject.tasks.findByPath(" + quoted(task) + ")",
              "  def all = task?.project?.configurations?.findByName("
                  + quoted(configuration)
                  + ")",
              "  if (all != null) {",
              "    task.dependsOn(all.incoming.artifactView { it.lenient(true) }.files)",
              "  }",
              "}",
              ""));
    } catch (IOException e) {
      throw PalusException.unwritable(script, e);
    }
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
