package io.palus.gradle;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gradle.api.DefaultTask;
import org.gradle.api.Project;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.plugins.BasePlugin;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.work.DisableCachingByDefault;

/** Copies what earlier runs wrote, before Gradle may delete it: see {@link OutputCopies}. */
@DisableCachingByDefault(because = "Gradle may delete all that it knows as an output")
public abstract class KeepOutputs extends DefaultTask {
  /** The folder of the build. */
  @Internal
  public abstract DirectoryProperty getBuildDirectory();

  @Internal
  public abstract DirectoryProperty getOutputDirectory();

  @Internal
  public abstract DirectoryProperty getFindingsDirectory();

  @Internal
  public abstract DirectoryProperty getReportDirectory();

  /** Where the copies are. */
  @Internal
  public abstract DirectoryProperty getCopies();

  /** Copies. */
  @TaskAction
  public void keep() {
    copies(
            getBuildDirectory(),
            getCopies(),
            getOutputDirectory(),
            getFindingsDirectory(),
            getReportDirectory())
        .make();
  }

  /** Has it run before tasks that write; in a build that cleans, after that. */
  static void before(
      List<TaskProvider<PalusGenerate>> tasks, PalusExtension extension, Project project) {
    DirectoryProperty build = project.getLayout().getBuildDirectory();
    TaskProvider<KeepOutputs> keep =
        project.getTasks().register("keepPalusOutputs", KeepOutputs.class);
    keep.configure(
        task -> {
          task.setDescription("Copies what Palus wrote, in case Gradle deletes it.");
          task.onlyIf(new NotSkipped(extension.getSkip()));
          task.mustRunAfter("cleanPalusGenerate", BasePlugin.CLEAN_TASK_NAME);
          task.getBuildDirectory().set(build);
          task.getOutputDirectory().set(extension.getOutputDirectory());
          task.getFindingsDirectory().set(extension.getFindingsDirectory());
          task.getReportDirectory().set(build.dir("reports/palus"));
          task.getCopies().set(build.dir("palus/copies"));
        });
    for (TaskProvider<PalusGenerate> each : tasks) {
      each.configure(
          task -> {
            task.dependsOn(keep);
            task.getBuildDirectory().set(build);
            task.getCopies().set(build.dir("palus/copies"));
          });
    }
  }

  static OutputCopies copies(
      DirectoryProperty build, DirectoryProperty copies, DirectoryProperty... folders) {
    List<Path> paths =
        Stream.of(folders)
            .map(folder -> folder.get().getAsFile())
            .map(File::toPath)
            .collect(Collectors.toList());
    return new OutputCopies(
        build.get().getAsFile().toPath(), paths, copies.get().getAsFile().toPath());
  }
}
