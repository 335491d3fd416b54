package io.palus.gradle;

import io.palus.host.CoverageAgent;
import io.palus.host.CoveredClasses;
import io.palus.host.GenerationReport;
import io.palus.host.OptionNames;
import io.palus.host.Palus;
import io.palus.host.PalusException;
import io.palus.host.Settings;
import java.io.File;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.LocalState;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.OutputFile;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.TaskAction;

/** Learns from the traces of the project's tests and writes JUnit tests that compile and pass. */
@CacheableTask
public abstract class PalusGenerate extends EngineTask {
  /** Whether tests of the last run that fail are replaced, and nothing else is written. */
  @Internal
  public abstract Property<Boolean> getAccepts();

  /** What the traced test run left. */
  @InputFiles
  @PathSensitive(PathSensitivity.RELATIVE)
  public abstract DirectoryProperty getTraceDirectory();

  /** Which kinds of tests the traced task leaves out, and why; no input, it is for errors alone. */
  @Internal
  public abstract ListProperty<String> getNotRun();

  /** Execution data of the traced run where the project's own JaCoCo measured it. */
  @InputFiles
  @PathSensitive(PathSensitivity.NONE)
  public abstract ConfigurableFileCollection getCoverageFiles();

  /** Where tests are written. */
  @OutputDirectory
  public abstract DirectoryProperty getOutputDirectory();

  /** Where tests that show a broken rule are written. */
  @OutputDirectory
  public abstract DirectoryProperty getFindingsDirectory();

  /** What speeds up the next run. */
  @LocalState
  public abstract DirectoryProperty getWorkDirectory();

  @OutputDirectory
  public abstract DirectoryProperty getReportDirectory();

  /** The folder of the build. */
  @Internal
  public abstract DirectoryProperty getBuildDirectory();

  /** There as long as Gradle has a history of this task: see {@link KnownOutputs}. */
  @OutputFile
  public abstract RegularFileProperty getKnown();

  /** Runs the engine, unless there are no classes, nor tests that may be replaced. */
  @TaskAction
  public void generate() {
    boolean accepts = getAccepts().getOrElse(false);
    if (!hasClasses() && !(accepts && hasTests(getOutputDirectory()))) {
      getLogger().info("no classes in {}", getClassesDirectories().getFiles());
      return;
    }
    getTraceSlot().get().execute(getLogger());
    KnownOutputs.claim(
        path(getBuildDirectory()).toPath(),
        Stream.of(getOutputDirectory(), getFindingsDirectory(), getReportDirectory())
            .map(folder -> path(folder).toPath())
            .collect(Collectors.toList()),
        getKnown().get().getAsFile().toPath());
    try {
      Settings settings = all();
      getLogger().info("{}", settings);
      if (accepts) {
        Palus.accept(settings, GradleConsole.working(getLogger()));
        return;
      }
      GenerationReport report = Palus.generate(settings, GradleConsole.working(getLogger()));
      setDidWork(!report.upToDate());
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }

  private Settings all() {
    File traces = getTraceDirectory().get().getAsFile();
    Properties run = TraceFiles.readRun(traces);
    return settings()
        .set(OptionNames.ACCEPT, getOtherOptions().get().get(OptionNames.ACCEPT))
        .set(OptionNames.OUTPUT_DIRECTORY, path(getOutputDirectory()))
        .set(OptionNames.FINDINGS_DIRECTORY, path(getFindingsDirectory()))
        .set("workDirectory", path(getWorkDirectory()))
        .set("reportDirectory", path(getReportDirectory()))
        .set("traceDirectory", traces)
        .set("traceTests", run.getProperty("tests"))
        .set("traceSeconds", run.getProperty("seconds"))
        .setAll("notRun", getNotRun().get())
        .setAll("coverageFile", coverageFiles(traces))
        .setAll("coverageClassPath", CoverageAgent.classPath())
        .set("coverageAgent", CoverageAgent.path())
        .setAll("coverageInclude", CoveredClasses.patterns(getClassesDirectories()))
        .set("commandLine", commandLine())
        .build();
  }

  private List<File> coverageFiles(File traces) {
    List<File> files = existing(getCoverageFiles());
    File ours = new File(traces, TraceFiles.EXECUTION_DATA);
    return files.isEmpty() && ours.isFile() ? List.of(ours) : files;
  }

  /** What to type to do the same again. */
  private String commandLine() {
    Settings options = options().build();
    StringBuilder line = new StringBuilder("gradle ").append(getPath());
    for (String name : OptionNames.ENGINE) {
      List<String> values = options.values(name);
      // How many work at a time may differ where the rest is the same.
      if (!values.isEmpty() && !name.equals(OptionNames.WORKERS)) {
        line.append(" -Ppalus.").append(name).append('=').append(String.join(",", values));
      }
    }
    return line.toString();
  }
}
