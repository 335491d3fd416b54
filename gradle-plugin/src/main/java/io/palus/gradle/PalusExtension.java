package io.palus.gradle;

import io.palus.host.Defaults;
import io.palus.host.OptionNames;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import javax.inject.Inject;
import org.gradle.api.InvalidUserDataException;
import org.gradle.api.Transformer;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.ProjectLayout;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.ProviderFactory;

/**
 * What a user may set in {@code palus { }}, all of it optional. Each option but {@code automatic}
 * can also be given as a project property: {@code -Ppalus.seed=7}.
 */
public abstract class PalusExtension {
  /** Values of {@code automatic}. */
  static final List<String> AUTOMATIC = List.of("OFF", "JOIN", "GENERATE");

  /** Reads project properties where the build script says nothing. */
  @Inject
  public PalusExtension(ProviderFactory providers, ProjectLayout layout) {
    getClasses().convention(property(providers, OptionNames.CLASSES, PalusExtension::list));
    getExcludes().convention(property(providers, OptionNames.EXCLUDES, PalusExtension::list));
    getBudget().convention(property(providers, OptionNames.BUDGET, Long::valueOf));
    getTimeLimit().convention(property(providers, OptionNames.TIME_LIMIT, Long::valueOf));
    getSeed().convention(property(providers, OptionNames.SEED, Long::valueOf));
    getWorkers().convention(property(providers, OptionNames.WORKERS, Integer::valueOf));
    getWorkerMemory().convention(property(providers, OptionNames.WORKER_MEMORY, Integer::valueOf));
    getFramework().convention(property(providers, OptionNames.FRAMEWORK, Function.identity()));
    getOutputDirectory()
        .convention(
            layout
                .dir(
                    property(
                        providers,
                        OptionNames.OUTPUT_DIRECTORY,
                        path -> layout.getProjectDirectory().dir(path).getAsFile()))
                .orElse(layout.getBuildDirectory().dir("generated/sources/palus/java/palusTest")));
    getSkip()
        .convention(
            property(providers, OptionNames.SKIP, PalusExtension::flag).orElse(Defaults.SKIP));
    getTestTask()
        .convention(
            property(providers, OptionNames.TEST_TASK, Function.identity())
                .orElse(Defaults.TEST_TASK));
    getAutomatic().convention("JOIN");
  }

  /**
   * Names of the classes that get tests, as globs: {@code *} stays within a package, {@code **}
   * does not. Default: all.
   */
  public abstract ListProperty<String> getClasses();

  /** Names of classes that get no tests, as globs. Default: none. */
  public abstract ListProperty<String> getExcludes();

  /** Steps (executed sequences) per class. Default: 100000. */
  public abstract Property<Long> getBudget();

  /** Seconds for the whole run, a safety net. Default: 600. */
  public abstract Property<Long> getTimeLimit();

  /** What random choices are drawn from; the same seed gives the same tests. Default: 0. */
  public abstract Property<Long> getSeed();

  /** How many worker JVMs run at a time. Default: the number of cores, as far as memory allows. */
  public abstract Property<Integer> getWorkers();

  /** Heap of one worker JVM in MiB. Default: 1024. */
  public abstract Property<Integer> getWorkerMemory();

  /**
   * Which JUnit the tests are for: {@code AUTO}, {@code JUNIT4}, {@code JUNIT5} or {@code JUNIT6}.
   * Default: {@code AUTO}, the one on the test class path.
   */
  public abstract Property<String> getFramework();

  /** Where tests are written. */
  public abstract DirectoryProperty getOutputDirectory();

  /** Whether to do nothing. */
  public abstract Property<Boolean> getSkip();

  /** Which test task is traced. */
  public abstract Property<String> getTestTask();

  /**
   * What {@code check} does. {@code OFF}: nothing. {@code JOIN}, the default: the tests that have
   * been written run in it. {@code GENERATE}: it traces the test task it runs anyway, writes tests
   * anew where something has changed, and runs them.
   */
  public abstract Property<String> getAutomatic();

  private static <T> org.gradle.api.provider.Provider<T> property(
      ProviderFactory providers, String name, Function<String, T> parse) {
    return providers.gradleProperty("palus." + name).map(new Parse<>(name, parse));
  }

  private static List<String> list(String text) {
    return Arrays.asList(text.trim().split("\\s*,\\s*"));
  }

  private static Boolean flag(String text) {
    if (text.isEmpty() || text.equals("true")) {
      return true;
    }
    if (text.equals("false")) {
      return false;
    }
    throw new IllegalArgumentException(text);
  }

  /** Reads a property's text, with an error that names it. */
  private static final class Parse<T> implements Transformer<T, String> {
    private final String name;
    private final Function<String, T> parse;

    Parse(String name, Function<String, T> parse) {
      this.name = name;
      this.parse = parse;
    }

    @Override
    public T transform(String text) {
      try {
        return parse.apply(text.trim());
      } catch (IllegalArgumentException e) {
        String allowed = name.equals(OptionNames.SKIP) ? "true, false" : "a whole number";
        throw new InvalidUserDataException(
            "the setting `" + name + "` has the value `" + text + "`. Allowed: " + allowed, e);
      }
    }
  }
}
