package io.palus.gradle;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.gradle.api.Project;
import org.gradle.api.ProjectEvaluationListener;
import org.gradle.api.internal.project.ProjectInternal;
import org.gradle.testfixtures.ProjectBuilder;

/** A project as it is when its build script has run to its end. */
final class EvaluatedProject {
  private EvaluatedProject() {}

  /** One in Java that has this plugin. */
  static Project in(Path folder, Consumer<Project> buildScript) {
    Project project = ProjectBuilder.builder().withProjectDir(folder.toFile()).build();
    project.getPluginManager().apply("java");
    project.getPluginManager().apply(PalusPlugin.class);
    buildScript.accept(project);
    evaluate(project);
    return project;
  }

  /** Running a build script needs an installed Gradle. What comes after it is done as there. */
  static void evaluate(Project project) {
    ProjectInternal own = (ProjectInternal) project;
    ProjectEvaluationListener next = own.getProjectEvaluationBroadcaster();
    while (next != null) {
      next = own.stepEvaluationListener(next, one -> one.afterEvaluate(project, own.getState()));
    }
  }
}
