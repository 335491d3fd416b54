package io.palus.gradle;

import io.palus.host.OptionNames;
import io.palus.host.Palus;
import io.palus.host.PalusException;
import io.palus.host.Settings;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.gradle.api.Action;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.file.FileCollection;
import org.gradle.api.plugins.ExtraPropertiesExtension;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Provider;
import org.gradle.api.provider.ProviderFactory;

/**
 * Before the traced tests run: what the user set is checked, so that nobody waits for tests and
 * then reads of a typing error.
 */
final class CheckSettings implements Action<Task> {
  private static final String PREFIX = "palus.";

  private final Provider<List<String>> classes;
  private final Provider<List<String>> excludes;
  private final Provider<Map<String, String>> values;
  private final Set<String> properties;

  /** Our folders, and those that ours must not mix with, by the names of the settings. */
  private final Map<String, FileCollection> folders;

  CheckSettings(Project project, PalusExtension extension, Map<String, FileCollection> folders) {
    this.folders = folders;
    classes = plain(project, extension.getClasses());
    excludes = plain(project, extension.getExcludes());
    values = project.provider(extension::texts);
    properties = properties(project);
  }

  /**
   * Found when the build is configured, as a configuration cache keeps it; of a kind that the cache
   * can read again, which the JDK's unmodifiable lists are not.
   */
  private static Provider<List<String>> plain(Project project, ListProperty<String> list) {
    return project.provider(() -> new ArrayList<>(list.getOrElse(List.of())));
  }

  /** The names of project properties that may be meant for us. */
  private static Set<String> properties(Project project) {
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

  /** What there is to check. */
  Settings options() {
    Settings.Builder options =
        Settings.builder()
            .setAll(OptionNames.CLASSES, classes.get())
            .setAll(OptionNames.EXCLUDES, excludes.get());
    values.get().forEach(options::set);
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

  @Override
  public void execute(Task task) {
    Set<String> known = new TreeSet<>(OptionNames.SHARED);
    known.addAll(Set.of(OptionNames.METHOD, OptionNames.AUTOMATIC, OptionNames.CACHE_TRACES));
    try {
      Palus.check(options(), properties, known, GradleConsole.working(task.getLogger()));
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }
}
