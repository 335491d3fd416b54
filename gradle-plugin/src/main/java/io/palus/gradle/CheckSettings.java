package io.palus.gradle;

import io.palus.host.OptionNames;
import io.palus.host.OwnFolders;
import io.palus.host.Palus;
import io.palus.host.PalusException;
import io.palus.host.Settings;
import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.gradle.api.DefaultTask;
import org.gradle.api.Project;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.FileCollection;
import org.gradle.api.plugins.ExtraPropertiesExtension;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.MapProperty;
import org.gradle.api.provider.Provider;
import org.gradle.api.provider.ProviderFactory;
import org.gradle.api.provider.SetProperty;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.work.DisableCachingByDefault;

/**
 * Checks what the user set before tests are traced, so that nobody waits for them and then reads of
 * a typing error.
 *
 * <p>A task of its own, without outputs: it runs where all others are up to date too, as they are
 * when a property is set by a name that none of them reads.
 */
@DisableCachingByDefault(because = "it only checks")
public abstract class CheckSettings extends DefaultTask {
  private static final String PREFIX = "palus.";

  private Map<String, FileCollection> folders = new LinkedHashMap<>();

  @Internal
  public abstract ListProperty<String> getClasses();

  @Internal
  public abstract ListProperty<String> getExcludes();

  /** The options of one value each, by name. */
  @Internal
  public abstract MapProperty<String, String> getOptions();

  /** The names of project properties that may be meant for Palus. */
  @Internal
  public abstract SetProperty<String> getPropertyNames();

  /** The names of system properties that may be meant for Palus, which reads none with Gradle. */
  @Internal
  public abstract SetProperty<String> getSystemPropertyNames();

  /** Our folders, and those that ours must not mix with, by the names of the settings. */
  @Internal
  public Map<String, FileCollection> getFolders() {
    return folders;
  }

  /** As {@link #getFolders}; of a kind that a configuration cache can read again. */
  public void setFolders(Map<String, FileCollection> folders) {
    this.folders = new LinkedHashMap<>(folders);
  }

  /** The folder of the build. */
  @Internal
  public abstract DirectoryProperty getBuildDirectory();

  /** That of the traces: Gradle, where it has no history, deletes it as soon as it can. */
  @Internal
  public abstract DirectoryProperty getTraceDirectory();

  /** What there is to check. */
  Settings options() {
    Settings.Builder options =
        Settings.builder()
            .setAll(OptionNames.CLASSES, getClasses().get())
            .setAll(OptionNames.EXCLUDES, getExcludes().get());
    getOptions().get().forEach(options::set);
    folders.forEach(
        (name, files) -> {
          // Of several folders that are not there none can be mixed with ours.
          boolean isOne = files.getFiles().size() == 1;
          List<File> there = new ArrayList<>(files.getFiles());
          there.removeIf(file -> !isOne && !file.isDirectory());
          options.setAll(name, there);
        });
    return options.build();
  }

  /** Checks. */
  @TaskAction
  public void check() {
    Set<String> known = new TreeSet<>(OptionNames.SHARED);
    known.addAll(OptionNames.GRADLE_ALONE);
    known.add(OptionNames.METHOD);
    known.add(OptionNames.SINCE);
    for (String name : new TreeSet<>(getSystemPropertyNames().get())) {
      if (!name.equals(PREFIX + OptionNames.CACHE_DIRECTORY)) {
        getLogger()
            .warn(
                "-D{} sets a property of the JVM, which Palus does not read with Gradle: say -P{}",
                name,
                name);
      }
    }
    try {
      OwnFolders.check(
          getBuildDirectory().get().getAsFile().toPath(),
          getTraceDirectory().get().getAsFile().toPath());
      Palus.check(options(), getPropertyNames().get(), known, GradleConsole.working(getLogger()));
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }

  /** Those of the JVM. */
  static Set<String> systemPropertyNames(Project project) {
    // Asked now: a configuration cache cannot hold how it is asked, but knows that it depends on
    // it.
    return new TreeSet<>(project.getProviders().systemPropertiesPrefixedBy(PREFIX).get().keySet());
  }

  /** Those of a project, from the command line, files and the environment. */
  static Set<String> propertyNames(Project project) {
    Set<String> names = new TreeSet<>();
    try {
      // Not in 7.6; this one tells a configuration cache what it depends on.
      Provider<?> all =
          (Provider<?>)
              ProviderFactory.class
                  .getMethod("gradlePropertiesPrefixedBy", String.class)
                  .invoke(project.getProviders(), PREFIX);
      ((Map<?, ?>) all.get()).keySet().forEach(name -> names.add(name.toString()));
    } catch (ReflectiveOperationException e) {
      ExtraPropertiesExtension extra = project.getExtensions().getExtraProperties();
      names.addAll(extra.getProperties().keySet());
      names.removeIf(name -> !name.startsWith(PREFIX));
    }
    return names;
  }
}
