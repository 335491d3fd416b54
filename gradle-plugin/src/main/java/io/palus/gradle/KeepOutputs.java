package io.palus.gradle;

import io.palus.host.PalusException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.gradle.api.Action;
import org.gradle.api.Project;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.logging.Logger;
import org.gradle.api.plugins.BasePlugin;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.work.DisableCachingByDefault;

/** Writes a marker into each folder that Gradle may delete: see {@link OutputMarkers}. */
@DisableCachingByDefault(because = "markers are for the history of this checkout")
public abstract class KeepOutputs extends OutputMarkers {
  private static final String DROP = "dropPalusMarkers";

  /** Keeps runs of other builds from seeing a marker. */
  @Internal
  public abstract Property<Action<Logger>> getTraceSlot();

  /** Writes. */
  @TaskAction
  public void keep() {
    List<File> markers = getMarkers();
    if (!markers.isEmpty()) {
      getTraceSlot().get().execute(getLogger());
    }
    for (File marker : markers) {
      try {
        // Not through a link.
        Files.deleteIfExists(marker.toPath());
        Files.createFile(marker.toPath());
      } catch (IOException e) {
        throw Failures.of(PalusException.unwritable(marker.toPath(), e));
      }
    }
  }

  /** Has them written and deleted before tasks that write; in a build that cleans, after that. */
  static void before(
      List<TaskProvider<PalusGenerate>> tasks, PalusExtension extension, Project project) {
    Provider<TraceSlot> slot = TraceSlot.of(project.getGradle());
    TaskProvider<KeepOutputs> keep =
        project.getTasks().register("keepPalusOutputs", KeepOutputs.class);
    keep.configure(
        task -> {
          describe(task, extension, project);
          task.setDescription("Keeps Gradle from deleting what Palus wrote.");
          task.mustRunAfter("cleanPalusGenerate", BasePlugin.CLEAN_TASK_NAME);
          task.getTraceSlot().set(slot);
          task.usesService(slot);
          task.finalizedBy(DROP);
        });
    TaskProvider<DropMarkers> drop = project.getTasks().register(DROP, DropMarkers.class);
    drop.configure(
        task -> {
          describe(task, extension, project);
          task.setDescription("Deletes what keepPalusOutputs wrote.");
          task.dependsOn(keep);
        });
    DirectoryProperty build = project.getLayout().getBuildDirectory();
    for (TaskProvider<PalusGenerate> each : tasks) {
      each.configure(
          task -> {
            task.dependsOn(drop);
            task.getBuildDirectory().set(build);
            task.getKnown().set(build.file("palus/known/" + task.getName()));
          });
    }
  }

  private static void describe(OutputMarkers task, PalusExtension extension, Project project) {
    DirectoryProperty build = project.getLayout().getBuildDirectory();
    task.onlyIf(new NotSkipped(extension.getSkip()));
    task.getBuildDirectory().set(build);
    task.getFolders().from(extension.getOutputDirectory(), extension.getFindingsDirectory());
    task.getFolders().from(build.dir("reports/palus"));
  }
}
