package io.palus.gradle;

import io.palus.host.BaseRevision;
import io.palus.host.OptionNames;
import io.palus.host.OtherBuild;
import io.palus.host.Palus;
import io.palus.host.PalusException;
import io.palus.host.SecretNames;
import io.palus.host.Settings;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.gradle.StartParameter;
import org.gradle.api.Project;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.Directory;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.invocation.Gradle;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.options.Option;
import org.gradle.work.DisableCachingByDefault;

/**
 * Compares what the code does with what it did in another revision: compiles that, generates tests
 * for the classes that changed and those that use them, on both sides, and reports those that pass
 * on one side and fail on the other. Writes no test.
 */
@DisableCachingByDefault(because = "what a revision is called is no input")
public abstract class PalusDiff extends EngineTask {
  /** Before the name of a property of the project that a system property gives. */
  private static final String PROJECT = "org.gradle.project.";

  /** The revision to compare with, as Git knows it. */
  @Internal
  public abstract Property<String> getSince();

  /** What {@code --since} says. */
  @Option(
      option = OptionNames.SINCE,
      description = "The revision to compare with, such as main or HEAD~1.")
  public void since(String revision) {
    getSince().set(revision);
  }

  /** What the traced test run left. */
  @Internal
  public abstract DirectoryProperty getTraceDirectory();

  /** A folder that this task has for itself. */
  @Internal
  public abstract DirectoryProperty getWorkDirectory();

  /** The build's own folder. */
  @Internal
  public abstract DirectoryProperty getBuildDirectory();

  /** Where tests would be written, which this task does not. */
  @Internal
  public abstract DirectoryProperty getOutputDirectory();

  /** Where what differs is reported. */
  @Internal
  public abstract DirectoryProperty getReportDirectory();

  /** Resources of the project's tests, which the other revision has not, as it has no tests. */
  @Internal
  public abstract ConfigurableFileCollection getTestResources();

  /** The root project's folder. */
  @Internal
  public abstract DirectoryProperty getRootDirectory();

  /** The {@code gradle} that builds the other revision, and what it is told. */
  @Internal
  public abstract ListProperty<String> getGradleCommand();

  /** The task that compiles the project's classes. */
  @Internal
  public abstract Property<String> getClassesTask();

  /** What the project's classes run with. */
  @Internal
  public abstract Property<String> getRuntimeConfiguration();

  /** What the task knows of the build. */
  final void configure(
      Project project,
      SourceSet main,
      SourceSet test,
      Provider<Directory> traces,
      Provider<Directory> reports) {
    DirectoryProperty build = project.getLayout().getBuildDirectory();
    Provider<Directory> work = build.dir("palus/diff");
    getSince().convention(project.getProviders().gradleProperty("palus." + OptionNames.SINCE));
    getTraceDirectory().set(traces);
    getBuildDirectory().set(build);
    getWorkDirectory().set(work);
    getOutputDirectory().set(work.map(new Below("tests")));
    getReportDirectory().set(reports);
    getTestResources().from(project.provider(() -> test.getOutput().getResourcesDir()));
    getRootDirectory().set(project.getRootProject().getLayout().getProjectDirectory());
    getClassesTask().set(project.absoluteProjectPath(main.getClassesTaskName()));
    getRuntimeConfiguration().set(main.getRuntimeClasspathConfigurationName());
    // Asked now, so that a configuration cache depends on it.
    project.getProviders().of(GivenProperties.class, spec -> {}).get();
    getGradleCommand().set(command(project.getGradle()));
  }

  private static List<String> command(Gradle gradle) {
    StartParameter given = gradle.getStartParameter();
    String name = File.separatorChar == '\\' ? "gradle.bat" : "gradle";
    File home = gradle.getGradleHomeDir();
    List<String> command = new ArrayList<>();
    command.add(home == null ? name : new File(home, "bin/" + name).getPath());
    command.addAll(List.of("-q", "--no-daemon", "-g", gradle.getGradleUserHomeDir().getPath()));
    if (given.isOffline()) {
      command.add("--offline");
    }
    given.getInitScripts().forEach(script -> command.addAll(List.of("-I", script.getPath())));
    command.addAll(given("-D", given.getSystemPropertiesArgs()));
    command.addAll(given("-P", given.getProjectProperties()));
    return command;
  }

  /** Those that are not for Palus: the other build is to compile. */
  static List<String> given(String option, Map<String, String> properties) {
    List<String> arguments = new ArrayList<>();
    new TreeMap<>(properties)
        .forEach(
            (property, value) -> {
              boolean isOurs =
                  property.startsWith("palus.") || property.startsWith(PROJECT + "palus.");
              // Everybody on the machine can read the command line of a process.
              if (!isOurs && !SecretNames.isSecret(property)) {
                arguments.add(option + property + "=" + (value == null ? "" : value));
              }
            });
    return arguments;
  }

  /** Compares, unless there are no classes. */
  @TaskAction
  public void compare() {
    if (!hasClasses()) {
      return;
    }
    getTraceSlot().get().execute(getLogger());
    String since = getSince().getOrNull();
    try (BaseRevision revision =
        BaseRevision.of(
            path(getProjectDirectory()).toPath(),
            since,
            path(getBuildDirectory()).toPath(),
            path(getWorkDirectory()).toPath())) {
      List<Path> classes = paths(getClassesDirectories());
      revision.checkBuilt(classes);
      Path root = revision.at(path(getRootDirectory()).toPath());
      List<String> command = new ArrayList<>(getGradleCommand().get());
      String task = getClassesTask().get();
      Path script = BaseScript.write(revision.folder(), task, getRuntimeConfiguration().get());
      command.addAll(List.of("-I", script.toString(), "-p", root.toString(), task));
      OtherBuild.run(command, revision.folder(), since);
      Settings settings =
          settings()
              .set(OptionNames.SINCE, since)
              .set("comparedWith", revision.comparedWith().orElse(null))
              .set(OptionNames.OUTPUT_DIRECTORY, path(getOutputDirectory()))
              .set("traceDirectory", path(getTraceDirectory()))
              .set("workDirectory", path(getWorkDirectory()))
              .set("reportDirectory", path(getReportDirectory()))
              .setAll("testClassesDirectory", paths(getTestResources()))
              .setAll("baseClassesDirectory", revision.classPath(classes))
              .setAll("baseClassPath", revision.classPath(paths(getClassPath())))
              .build();
      getLogger().info("{}", settings);
      Palus.differences(settings, GradleConsole.working(getLogger()));
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }

  private static List<Path> paths(ConfigurableFileCollection files) {
    return files.getFiles().stream().map(File::toPath).collect(Collectors.toList());
  }
}
