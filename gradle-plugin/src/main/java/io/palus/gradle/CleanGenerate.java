package io.palus.gradle;

import io.palus.host.OwnFolders;
import io.palus.host.PalusException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import javax.inject.Inject;
import org.gradle.api.Action;
import org.gradle.api.DefaultTask;
import org.gradle.api.Project;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.FileSystemOperations;
import org.gradle.api.logging.Logger;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.work.DisableCachingByDefault;

/**
 * Instead of the task by which Gradle would delete all outputs of {@code palusGenerate}: written
 * files that somebody edited stay.
 */
@DisableCachingByDefault(because = "it deletes")
public abstract class CleanGenerate extends DefaultTask {
  private final FileSystemOperations files;

  /**
   * Made by Gradle.
   *
   * @param files what deletes
   */
  @Inject
  public CleanGenerate(FileSystemOperations files) {
    this.files = files;
  }

  /** Folders of written tests, each with its manifest. */
  @Internal
  public abstract ConfigurableFileCollection getTestFolders();

  /** All other outputs. */
  @Internal
  public abstract ConfigurableFileCollection getOthers();

  /** The folder of the build, in which the other outputs are. */
  @Internal
  public abstract DirectoryProperty getBuildDirectory();

  /** The project: what another one wrote into a folder of tests stays. */
  @Internal
  public abstract DirectoryProperty getProjectDirectory();

  /** Keeps a run of another build from writing at the same time. */
  @Internal
  public abstract Property<Action<Logger>> getTraceSlot();

  /** Has it delete what a task writes. */
  final void follow(TaskProvider<PalusGenerate> generate, Project project) {
    setDescription("Deletes what palusGenerate wrote, but for tests that were edited.");
    getTestFolders().from(generate.flatMap(PalusGenerate::getOutputDirectory));
    getTestFolders().from(generate.flatMap(PalusGenerate::getFindingsDirectory));
    getOthers().from(generate.flatMap(PalusGenerate::getReportDirectory));
    getBuildDirectory().set(project.getLayout().getBuildDirectory());
    getProjectDirectory().set(project.getLayout().getProjectDirectory());
    Provider<TraceSlot> slot = TraceSlot.of(project.getGradle());
    getTraceSlot().set(slot);
    usesService(slot);
  }

  /** Deletes all but what was edited. */
  @TaskAction
  public void clean() throws IOException {
    getTraceSlot().get().execute(getLogger());
    Path project = getProjectDirectory().get().getAsFile().toPath();
    for (File folder : getTestFolders()) {
      Path path = folder.toPath();
      if (EditedTests.isAnothers(path, project)) {
        getLogger().lifecycle("{} has the files of another project, which stay", path);
      } else if (EditedTests.deleteOurs(path)) {
        getLogger().lifecycle("{} keeps files that were edited", path);
      }
    }
    Path build = getBuildDirectory().get().getAsFile().toPath();
    try {
      getOthers().forEach(other -> OwnFolders.check(build, other.toPath()));
    } catch (PalusException e) {
      throw Failures.of(e);
    }
    files.delete(others -> others.delete(getOthers()));
  }
}
