package io.palus.gradle;

import io.palus.host.CoverageAgent;
import io.palus.host.GenerationReport;
import io.palus.host.OptionNames;
import io.palus.host.Palus;
import io.palus.host.PalusException;
import io.palus.host.SecretNames;
import io.palus.host.Settings;
import io.palus.host.WorkerJar;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.gradle.api.DefaultTask;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.FileCollection;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.MapProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.IgnoreEmptyDirectories;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.LocalState;
import org.gradle.api.tasks.Nested;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.TaskAction;
import org.gradle.jvm.toolchain.JavaLauncher;
import org.gradle.process.CommandLineArgumentProvider;

/** Learns from the traces of the project's tests and writes JUnit tests that compile and pass. */
@CacheableTask
public abstract class PalusGenerate extends DefaultTask {
  private final List<CommandLineArgumentProvider> jvmArgumentProviders = new ArrayList<>();

  @Input
  public abstract ListProperty<String> getClasses();

  @Input
  public abstract ListProperty<String> getExcludes();

  /** The options of one value each that decide what is written, by name. */
  @Input
  public abstract MapProperty<String, String> getOptions();

  /** The other ones: what is written is the same with any value. */
  @Internal
  public abstract MapProperty<String, String> getOtherOptions();

  /** Whether tests of the last run that fail are replaced, whatever the options say. */
  @Internal
  public abstract Property<Boolean> getAccepts();

  /** A file, which need not be there. */
  @InputFiles
  @PathSensitive(PathSensitivity.NONE)
  public abstract ConfigurableFileCollection getBaseline();

  @Input
  public abstract Property<String> getProjectName();

  @Internal
  public abstract DirectoryProperty getProjectDirectory();

  /** The subject's own compiled classes. */
  @Classpath
  public abstract ConfigurableFileCollection getClassesDirectories();

  @Classpath
  public abstract ConfigurableFileCollection getTestClassesDirectories();

  /** The whole class path of the traced tests, in order. */
  @Classpath
  public abstract ConfigurableFileCollection getClassPath();

  /** Main sources, for the report. */
  @InputFiles
  @PathSensitive(PathSensitivity.RELATIVE)
  @IgnoreEmptyDirectories
  public abstract ConfigurableFileCollection getSourceDirectories();

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

  /** The {@code java} of the project's tests, as the toolchain has it. */
  @Nested
  @Optional
  public abstract Property<JavaLauncher> getLauncher();

  /** The {@code java} of the project's tests where the build script names it. */
  @Input
  @Optional
  public abstract Property<String> getExecutable();

  @Input
  public abstract Property<Integer> getLanguageLevel();

  @Input
  public abstract ListProperty<String> getCompilerArguments();

  /** Arguments of the project's test JVM. */
  @Internal
  public abstract ListProperty<String> getJvmArguments();

  /** What decides the tests of these: no value of a secret does, and none is kept. */
  @Input
  public List<String> getTrackedJvmArguments() {
    return SecretNames.withoutSecrets(getJvmArguments().get());
  }

  /** What gives more such arguments when asked. */
  @Nested
  public List<CommandLineArgumentProvider> getJvmArgumentProviders() {
    return jvmArgumentProviders;
  }

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

  /** Runs the engine, unless there are no classes. */
  @TaskAction
  public void generate() {
    if (getClassesDirectories()
        .getAsFileTree()
        .matching(files -> files.include("**/*.class"))
        .isEmpty()) {
      getLogger().info("no classes in {}", getClassesDirectories().getFiles());
      return;
    }
    try {
      Settings settings = settings();
      getLogger().info("{}", settings);
      GenerationReport report = Palus.generate(settings, GradleConsole.working(getLogger()));
      setDidWork(!report.upToDate());
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }

  private Settings settings() {
    File traces = getTraceDirectory().get().getAsFile();
    Properties run = TraceFiles.readRun(traces);
    return options()
        .set(OptionNames.ACCEPT, accept())
        .set(OptionNames.OUTPUT_DIRECTORY, path(getOutputDirectory()))
        .set(OptionNames.FINDINGS_DIRECTORY, path(getFindingsDirectory()))
        .set(OptionNames.BASELINE, getBaseline().getSingleFile())
        .set("projectName", getProjectName().get())
        .set("projectDirectory", path(getProjectDirectory()))
        .set("workDirectory", path(getWorkDirectory()))
        .set("reportDirectory", path(getReportDirectory()))
        .setAll("classesDirectory", existing(getClassesDirectories()))
        .setAll("testClassesDirectory", existing(getTestClassesDirectories()))
        .setAll("classPath", existing(getClassPath()))
        .setAll("sourceDirectory", existing(getSourceDirectories()))
        .set("traceDirectory", traces)
        .set("traceTests", run.getProperty("tests"))
        .set("traceSeconds", run.getProperty("seconds"))
        .setAll("notRun", getNotRun().get())
        .setAll("coverageFile", coverageFiles(traces))
        .setAll("coverageClassPath", CoverageAgent.classPath())
        .set("coverageAgent", CoverageAgent.path())
        .set("javaHome", javaHome())
        .set("languageLevel", getLanguageLevel().get())
        .setAll("compilerArgument", getCompilerArguments().get())
        .setAll("jvmArgument", jvmArguments())
        .set("workerJar", WorkerJar.path())
        .set("launcher", WorkerJar.launcher())
        .set("commandLine", commandLine())
        .build();
  }

  private String accept() {
    return getAccepts().getOrElse(false) ? "true" : getOtherOptions().get().get(OptionNames.ACCEPT);
  }

  /** The options of the engine that a run is repeated with, but for files and folders. */
  private Settings.Builder options() {
    Settings.Builder options =
        Settings.builder()
            .setAll(OptionNames.CLASSES, getClasses().get())
            .setAll(OptionNames.EXCLUDES, getExcludes().get());
    getOptions().get().forEach(options::set);
    getOtherOptions()
        .get()
        .forEach(
            (name, value) -> {
              if (!name.equals(OptionNames.ACCEPT)) {
                options.set(name, value);
              }
            });
    return options;
  }

  private List<File> coverageFiles(File traces) {
    List<File> files = existing(getCoverageFiles());
    File ours = new File(traces, TraceFiles.EXECUTION_DATA);
    return files.isEmpty() && ours.isFile() ? List.of(ours) : files;
  }

  private File javaHome() {
    if (getExecutable().isPresent()) {
      File bin = new File(getExecutable().get()).getAbsoluteFile().getParentFile();
      if (new File(bin, "javac").isFile() || new File(bin, "javac.exe").isFile()) {
        return bin.getParentFile();
      }
    }
    return getLauncher().isPresent()
        ? getLauncher().get().getMetadata().getInstallationPath().getAsFile()
        : new File(System.getProperty("java.home"));
  }

  private List<String> jvmArguments() {
    List<String> arguments = new ArrayList<>(getJvmArguments().get());
    for (CommandLineArgumentProvider provider : jvmArgumentProviders) {
      arguments.addAll(JvmArguments.withoutAgents(provider.asArguments()));
    }
    return arguments;
  }

  private static List<File> existing(FileCollection files) {
    return files.getFiles().stream().filter(File::exists).collect(Collectors.toList());
  }

  private static File path(DirectoryProperty directory) {
    return directory.get().getAsFile();
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
