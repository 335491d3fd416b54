package io.palus.gradle;

import io.palus.host.CoverageAgent;
import io.palus.host.CoveredClasses;
import io.palus.host.TraceOptions;
import io.palus.host.WorkerJar;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.Project;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.Directory;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.testing.Test;
import org.gradle.process.CommandLineArgumentProvider;

/**
 * Attaches our agents to a test JVM. Their content is part of this class's own class path, which
 * Gradle tracks; their paths are asked for when the tests run, so that neither a build cache nor a
 * configuration cache holds any.
 */
public abstract class TraceArguments implements CommandLineArgumentProvider {
  /** Where trace files go; an output of the test task. */
  @Internal
  public abstract DirectoryProperty getTraceDirectory();

  /** The file that tells the tracing agent what to do; {@link PrepareTrace} writes it. */
  @Internal
  public abstract Property<File> getOptionsFile();

  /** Folders of the project's own classes, which the test task's class path holds, too. */
  @Internal
  public abstract ConfigurableFileCollection getClasses();

  /** Whether to measure coverage by an agent of ours; not where the project measures it. */
  @Input
  public abstract Property<Boolean> getMeasuresCoverage();

  /** Those of a test task. */
  static TraceArguments of(Test task, Provider<Directory> traces, SourceSet main, Project project) {
    TraceArguments arguments = project.getObjects().newInstance(TraceArguments.class);
    arguments.getTraceDirectory().set(traces);
    arguments.getOptionsFile().set(new File(task.getTemporaryDir(), "agent.properties"));
    arguments.getMeasuresCoverage().set(TestCopy.jacoco(task) == null);
    arguments.getClasses().from(main.getOutput().getClassesDirs());
    return arguments;
  }

  /** Whether a test task has them. */
  static boolean areOn(Test task) {
    return task.getJvmArgumentProviders().stream().anyMatch(TraceArguments.class::isInstance);
  }

  /** Leaves a test task without them. */
  static void takeFrom(Test task) {
    task.getJvmArgumentProviders().removeIf(TraceArguments.class::isInstance);
  }

  @Override
  public Iterable<String> asArguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add(TraceOptions.jvmArgument(WorkerJar.path(), getOptionsFile().get().toPath()));
    if (getMeasuresCoverage().get()) {
      File file = getTraceDirectory().file(TraceFiles.EXECUTION_DATA).get().getAsFile();
      List<String> covered = CoveredClasses.patterns(getClasses());
      arguments.add(CoverageAgent.jvmArgument(CoverageAgent.path(), file.toPath(), covered));
    }
    return arguments;
  }
}
