package io.palus.gradle;

import io.palus.host.AgentArguments;
import io.palus.host.OptionNames;
import io.palus.host.SecretNames;
import io.palus.host.Settings;
import io.palus.host.WorkerJar;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.gradle.api.Action;
import org.gradle.api.DefaultTask;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.FileCollection;
import org.gradle.api.invocation.Gradle;
import org.gradle.api.logging.Logger;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.MapProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.Provider;
import org.gradle.api.provider.SetProperty;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.IgnoreEmptyDirectories;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.Nested;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.jvm.toolchain.JavaLauncher;
import org.gradle.process.CommandLineArgumentProvider;
import org.gradle.work.DisableCachingByDefault;

/** A task that runs tests by the engine: what it must know of the project and its options. */
@DisableCachingByDefault(because = "a task of its kind says whether it can be cached")
public abstract class EngineTask extends DefaultTask {
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

  /** Where the project's tests run. */
  @Internal
  public abstract Property<File> getTestFolder();

  /** What decides the tests of these: no value of a secret does, and none is kept. */
  @Input
  public List<String> getTrackedJvmArguments() {
    return SecretNames.withoutSecrets(getJvmArguments().get());
  }

  /** Names of the variables that the build sets for its test JVM. */
  @Input
  public abstract SetProperty<String> getTestVariables();

  /** What no written test may hold. */
  @Internal
  abstract Property<BuildSecrets> getBuildSecrets();

  /** What gives more such arguments when asked. */
  @Nested
  public List<CommandLineArgumentProvider> getJvmArgumentProviders() {
    return jvmArgumentProviders;
  }

  /** Keeps other builds from the traces while this task reads them. */
  @Internal
  public abstract Property<Action<Logger>> getTraceSlot();

  /** One engine at a time runs in this build, and one build at a time has the traces. */
  final void takeTurns(Gradle gradle) {
    Provider<TraceSlot> traces = TraceSlot.of(gradle);
    getTraceSlot().set(traces);
    usesService(traces);
    usesService(EngineSlot.of(gradle));
  }

  /** All of that as settings; folders that the task writes to are its own to say. */
  final Settings.Builder settings() {
    return options()
        .set(OptionNames.BASELINE, getBaseline().getSingleFile())
        .set("projectName", getProjectName().get())
        .set("projectDirectory", path(getProjectDirectory()))
        .setAll("classesDirectory", classesDirectories())
        .setAll("testClassesDirectory", existing(getTestClassesDirectories()))
        .setAll("classPath", existing(getClassPath()))
        .setAll("sourceDirectory", existing(getSourceDirectories()))
        .set("javaHome", javaHome())
        .set("languageLevel", getLanguageLevel().get())
        .setAll("compilerArgument", getCompilerArguments().get())
        .setAll("jvmArgument", jvmArguments())
        .setAll("testVariable", getTestVariables().get())
        .setAll(
            Settings.BUILD_PROPERTY,
            SecretNames.pairs(getBuildSecrets().get().now(), jvmArguments()))
        .set("workerJar", WorkerJar.path())
        .set("launcher", WorkerJar.launcher());
  }

  /** Whether there is anything to run. */
  final boolean hasClasses() {
    return !getClassesDirectories()
        .getAsFileTree()
        .matching(files -> files.include("**/*.class"))
        .isEmpty();
  }

  /**
   * Whether tests are written. They stay where the last class of a module went to another one, and
   * run what that class is there.
   */
  static boolean hasTests(DirectoryProperty folder) {
    return !folder.getAsFileTree().matching(files -> files.include("**/*.java")).isEmpty();
  }

  /** Those that are there; all of them where none is, for the engine asks for one. */
  private Iterable<File> classesDirectories() {
    List<File> existing = existing(getClassesDirectories());
    return existing.isEmpty() ? getClassesDirectories() : existing;
  }

  /** The options of the engine that a run is repeated with, but for files and folders. */
  final Settings.Builder options() {
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
      arguments.addAll(AgentArguments.kept(provider.asArguments(), getTestFolder().get().toPath()));
    }
    return arguments;
  }

  static List<File> existing(FileCollection files) {
    return files.getFiles().stream().filter(File::exists).collect(Collectors.toList());
  }

  static File path(DirectoryProperty directory) {
    return directory.get().getAsFile();
  }
}
