package io.palus.gradle;

import io.palus.host.Defaults;
import io.palus.host.OptionNames;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.inject.Inject;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.ProjectLayout;
import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.Provider;
import org.gradle.api.provider.ProviderFactory;

/**
 * What a user may set in {@code palus { }}, all of it optional. Where the build script says
 * nothing, a project property holds: {@code -Ppalus.seed=7}.
 *
 * <p>Numbers and names are objects, so that {@code budget = 2000} and {@code budget = '2000'} both
 * do in every build script, and a wrong value gets the engine's words, as it does in Maven.
 */
public abstract class PalusExtension {
  /** Reads project properties where the build script says nothing. */
  @Inject
  public PalusExtension(ProviderFactory providers, ProjectLayout layout) {
    getClasses().convention(property(providers, OptionNames.CLASSES).map(new Texts.Elements()));
    getExcludes().convention(property(providers, OptionNames.EXCLUDES).map(new Texts.Elements()));
    values().forEach((name, value) -> value.convention(property(providers, name)));
    getAccept()
        .convention(
            property(providers, OptionNames.ACCEPT).map(new Texts.Flag(OptionNames.ACCEPT)));
    getFindingsDirectory()
        .convention(
            layout
                .dir(property(providers, OptionNames.FINDINGS_DIRECTORY).map(new Texts.Path()))
                .orElse(layout.getBuildDirectory().dir("palus/findings")));
    getBaseline()
        .convention(
            layout
                .file(property(providers, OptionNames.BASELINE).map(new Texts.Path()))
                .orElse(layout.getProjectDirectory().file("palus-baseline.json")));
    getOutputDirectory()
        .convention(
            layout
                .dir(property(providers, OptionNames.OUTPUT_DIRECTORY).map(new Texts.Path()))
                .orElse(layout.getBuildDirectory().dir("generated/sources/palus/java/palusTest")));
    getSkip()
        .convention(
            property(providers, OptionNames.SKIP)
                .map(new Texts.Flag(OptionNames.SKIP))
                .orElse(Defaults.SKIP));
    getTestTask().convention(property(providers, OptionNames.TEST_TASK).orElse(Defaults.TEST_TASK));
    getCacheTraces()
        .convention(
            property(providers, OptionNames.CACHE_TRACES)
                .map(new Texts.Flag(OptionNames.CACHE_TRACES))
                .orElse(false));
    getAutomatic()
        .convention(property(providers, OptionNames.AUTOMATIC).orElse(Automatic.JOIN.name()));
  }

  /**
   * Names of the classes that get tests, as globs: {@code *} stays within a package, {@code **}
   * does not. Default: all.
   */
  public abstract ListProperty<String> getClasses();

  /** Names of classes that get no tests, as globs. Default: none. */
  public abstract ListProperty<String> getExcludes();

  /** Steps (executed sequences) per class. Default: 100000. */
  public abstract Property<Object> getBudget();

  /** Seconds for the whole run, a safety net. Default: 600. */
  public abstract Property<Object> getTimeLimit();

  /** What random choices are drawn from; the same seed gives the same tests. Default: 0. */
  public abstract Property<Object> getSeed();

  /** How many worker JVMs run at a time. Default: the number of cores, as far as memory allows. */
  public abstract Property<Object> getWorkers();

  /** Heap of one worker JVM in MiB. Default: 1024. */
  public abstract Property<Object> getWorkerMemory();

  /**
   * Whether to go on where the kernel cannot keep the code under test from files, network and
   * processes: {@code REQUIRED} or {@code BEST_EFFORT}. Default: {@code REQUIRED}; elsewhere than
   * on Linux {@code BEST_EFFORT}.
   */
  public abstract Property<Object> getSandbox();

  /**
   * Which JUnit the tests are for: {@code AUTO}, {@code JUNIT4}, {@code JUNIT5} or {@code JUNIT6}.
   * Default: {@code AUTO}, the one on the test class path.
   */
  public abstract Property<Object> getFramework();

  /**
   * How sequences are found: {@code FULL}, or for comparisons {@code RANDOM}, {@code UNGUIDED},
   * {@code STATIC}, {@code PALULU}, {@code MODEL}, {@code CONSTRAINTS}, {@code PALUS}, {@code
   * LITERAL} or {@code BLIND}. Default: {@code FULL}.
   */
  public abstract Property<Object> getMode();

  /**
   * Merges states of models that allow the same next calls, this many. Default: 0, nothing is
   * merged.
   */
  public abstract Property<Object> getKTail();

  /**
   * Where a dependent method is called: {@code AFTER} the one that a model calls, {@code BEFORE} it
   * or {@code RANDOM}. Default: {@code AFTER}.
   */
  public abstract Property<Object> getDependentPosition();

  /**
   * How branches that are still open are searched for: {@code DYNAMOSA}, {@code MOSA}, {@code
   * MONOTONIC_GA} or {@code OFF}. Default: {@code DYNAMOSA} in mode {@code FULL}, else {@code OFF}.
   */
  public abstract Property<Object> getSearch();

  /**
   * Whether tests and what they assert are chosen by the faults of the class that they notice.
   * Default: true.
   */
  public abstract Property<Object> getMutants();

  /** Whether default contracts (equals, hashCode, iterators, ...) are checked. Default: true. */
  public abstract Property<Object> getContracts();

  /** Whether theories of the test classes are tried. Default: true. */
  public abstract Property<Object> getTheories();

  /**
   * APIs whose protocols are learned, so that unsafe uses are found: names of sets and patterns
   * over class names, with commas. Default: OFF.
   */
  public abstract Property<Object> getProtocols();

  /**
   * Where tests that show a broken rule are written; no build runs them. Default: {@code
   * palus/findings} in the build folder.
   */
  public abstract DirectoryProperty getFindingsDirectory();

  /** The file of known findings. Default: {@code palus-baseline.json} in the project folder. */
  public abstract RegularFileProperty getBaseline();

  /** Whether the findings of this run become the known ones. Default: false. */
  public abstract Property<Object> getUpdateBaseline();

  /** Whether tests of the last run that fail on changed code are replaced. Default: false. */
  public abstract Property<Object> getAccept();

  /** Whether classes that are as the last run left them keep their tests. Default: true. */
  public abstract Property<Object> getIncremental();

  /** Whether {@code palusCheck} fails where behaviour changed. Default: true. */
  public abstract Property<Object> getFailOnChange();

  /** Where tests are written: {@code outputDirectory = file('...')}. */
  public abstract DirectoryProperty getOutputDirectory();

  /**
   * Where promoted tests go, a folder of the project's own test sources. Default: {@code
   * src/test/java}.
   */
  public abstract Property<Object> getPromoteDirectory();

  /**
   * Which written tests {@code palusPromote} moves: those that reach one of these classes, methods
   * or lines, such as {@code shop.Rates}, {@code shop.Rates#fee} or {@code shop.Rates:12-20}.
   * Default: all.
   */
  public abstract Property<Object> getCovers();

  /**
   * How many tests of each class {@code palusPromote} moves at most, those first that notice most
   * faults. Default: all.
   */
  public abstract Property<Object> getBestPerClass();

  /** Whether to do nothing. */
  public abstract Property<Boolean> getSkip();

  /** Which test task is traced. */
  public abstract Property<String> getTestTask();

  /**
   * Whether traces, which hold what the tests saw, may get into a remote build cache. Default:
   * false.
   */
  public abstract Property<Boolean> getCacheTraces();

  /** What {@code check} does by itself, an {@link Automatic} or its name. Default: JOIN. */
  public abstract Property<Object> getAutomatic();

  /** The options of the engine that are one value each, by name. */
  final Map<String, Property<Object>> values() {
    Map<String, Property<Object>> values = new LinkedHashMap<>();
    for (String name : OptionNames.ENGINE) {
      try {
        Method getter = PalusExtension.class.getMethod(getter(name));
        if (getter.getReturnType() == Property.class) {
          @SuppressWarnings("unchecked") // A test holds all of them to it.
          Property<Object> value = (Property<Object>) getter.invoke(this);
          values.put(name, value);
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("there is no option `" + name + "`", e);
      }
    }
    return values;
  }

  /** Those of them that the user set, as text. */
  final Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    values()
        .forEach(
            (name, value) -> {
              if (value.isPresent()) {
                texts.put(name, value.get().toString());
              }
            });
    return texts;
  }

  /** Those that decide what is written, or the others. */
  final Map<String, String> texts(boolean deciding) {
    Map<String, String> options = texts();
    options.keySet().removeIf(name -> OptionNames.DECIDING.contains(name) != deciding);
    return options;
  }

  /** What the user gave; an empty list as one empty text, for the engine says what it means. */
  static List<String> list(ListProperty<String> given) {
    List<String> elements = given.getOrElse(List.of());
    return given.isPresent() && elements.isEmpty() ? List.of("") : elements;
  }

  /** The method that answers an option. */
  static String getter(String name) {
    return "get" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  private static Provider<String> property(ProviderFactory providers, String name) {
    return providers.gradleProperty("palus." + name).map(new Texts.Trimmed());
  }
}
