package io.palus.gradle;

import io.palus.host.OptionNames;
import io.palus.host.PalusException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gradle.api.Action;
import org.gradle.api.Project;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.logging.Logger;
import org.gradle.api.plugins.BasePlugin;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.Provider;
import org.gradle.api.specs.Specs;
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

  /** Writes; where a file of ours has no place, it refuses before anything is deleted. */
  @TaskAction
  public void keep() {
    List<File> markers = getMarkers();
    if (!markers.isEmpty()) {
      getTraceSlot().get().execute(getLogger());
    }
    Path build = getBuildDirectory().get().getAsFile().toPath();
    StaleOutputs stale = new StaleOutputs(getServices());
    for (Map.Entry<String, Path> folder : folders().entrySet()) {
      if (!isOurs(build, folder)
          && isSomething(folder.getValue())
          && stale.has(folder.getValue())) {
        throw Failures.of(unknown(folder.getKey(), folder.getValue()));
      }
    }
    for (File marker : markers) {
      Path folder = marker.toPath().getParent();
      // Elsewhere nothing is written without need.
      if (!isOwn(build, folder) && !stale.has(folder)) {
        continue;
      }
      try {
        // Not through a link.
        Files.deleteIfExists(marker.toPath());
        Files.createFile(marker.toPath());
      } catch (IOException e) {
        throw Failures.of(PalusException.unwritable(marker.toPath(), e));
      }
    }
  }

  private static PalusException unknown(String name, Path folder) {
    return PalusException.configuration(
        String.format(
            "Gradle would delete the folder of `%s` (%s), in which no run of Palus wrote",
            name, folder),
        "choose a folder that is for Palus alone, or move what is there; nothing was changed",
        null);
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
          task.mustRunAfter("checkPalusSettings", "cleanPalusGenerate", BasePlugin.CLEAN_TASK_NAME);
          // What it finds may change from build to build where it writes nothing.
          task.getOutputs().upToDateWhen(Specs.satisfyNone());
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
    task.setFolders(
        Map.of(
            OptionNames.OUTPUT_DIRECTORY,
            project.files(extension.getOutputDirectory()),
            OptionNames.FINDINGS_DIRECTORY,
            project.files(extension.getFindingsDirectory()),
            REPORTS,
            project.files(build.dir("reports/palus"))));
  }
}
