package io.palus.gradle;

import io.palus.host.OwnFolders;
import io.palus.host.PalusException;
import io.palus.host.SecretNames;
import io.palus.host.TraceOptions;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.gradle.api.Action;
import org.gradle.api.InvalidUserDataException;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.file.Directory;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.FileCollection;
import org.gradle.api.logging.Logger;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.testing.Test;

/**
 * Before the tests run: clears old traces and writes what the tracing agent is told. Where that
 * fails, the project's own task runs its tests without the agent.
 */
final class PrepareTrace implements Action<Task> {
  private final DirectoryProperty traceDirectory;
  private final Property<File> optionsFile;
  private final FileCollection classes;
  private final FileCollection testClasses;
  private final Property<Boolean> measuresCoverage;
  private final File project;
  private final Provider<Directory> build;
  private final Provider<? extends Action<Logger>> slot;
  private final WasTraced was;
  private final BuildSecrets secrets;

  PrepareTrace(
      TraceArguments arguments, FileCollection testClasses, WasTraced was, Project project) {
    this.traceDirectory = arguments.getTraceDirectory();
    this.optionsFile = arguments.getOptionsFile();
    this.classes = arguments.getClasses();
    this.testClasses = testClasses;
    this.measuresCoverage = arguments.getMeasuresCoverage();
    this.project = project.getProjectDir();
    this.build = project.getLayout().getBuildDirectory();
    this.slot = TraceSlot.of(project.getGradle());
    this.was = was;
    this.secrets = new BuildSecrets(project);
  }

  @Override
  public void execute(Task task) {
    boolean isOurs = PalusTasks.TEST_TASKS.contains(task.getName());
    if (isOurs) {
      // The project's own task speaks as the project says.
      ((Test) task).addTestListener(new TracedTests(task.getLogger()));
    }
    try {
      was.yes();
      prepare((Test) task);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InvalidUserDataException e) {
      if (isOurs) {
        throw e;
      }
      runUntraced((Test) task, e);
    }
  }

  private void prepare(Test task) {
    File directory = traceDirectory.get().getAsFile();
    try {
      OwnFolders.check(build.get().getAsFile().toPath(), directory.toPath());
      slot.get().execute(task.getLogger());
      TraceFiles.clear(build.get().getAsFile(), directory);
      new TraceOptions(directory.toPath(), project.toPath())
          .classes(paths(classes))
          .testClasses(paths(testClasses))
          .measuresCoverage(measuresCoverage.get())
          .secretPlaces(SecretNames.handedOn(secrets.now(), task.getAllJvmArgs()))
          .write(optionsFile.get().toPath());
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }

  private void runUntraced(Test task, InvalidUserDataException why) {
    try {
      was.no();
    } catch (IOException e) {
      throw why;
    }
    TraceArguments.takeFrom(task);
    String said = "Palus does not trace the tests of this build, and writes none: {}";
    task.getLogger().warn(said, why.getMessage());
  }

  private static List<Path> paths(FileCollection files) {
    return files.getFiles().stream().map(File::toPath).collect(Collectors.toList());
  }
}
