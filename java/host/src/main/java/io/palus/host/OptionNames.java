package io.palus.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The names of everything a user may set, the same in both plugins. In Maven the property is {@code
 * palus.<name>}.
 *
 * <p>The engine declares what it reads ({@link #ENGINE}), with the defaults: a plugin has an option
 * of each name, and passes on what the user set and nothing else. Constants stand here for the
 * options that a plugin itself must know, and their defaults in {@link Defaults}.
 */
public final class OptionNames {
  /** Globs over the names of classes that get tests. */
  public static final String CLASSES = "classes";

  /** Globs over the names of classes that get none. */
  public static final String EXCLUDES = "excludes";

  /** How many worker JVMs run at a time. */
  public static final String WORKERS = "workers";

  /** Where tests that show a broken rule are written. */
  public static final String FINDINGS_DIRECTORY = "findingsDirectory";

  /** The file of known findings. */
  public static final String BASELINE = "baseline";

  /** Whether the findings of this run become the known ones. */
  public static final String UPDATE_BASELINE = "updateBaseline";

  /** Whether tests of the last run that fail on changed code are replaced. */
  public static final String ACCEPT = "accept";

  /** Whether a look at the tests of the last run fails where one fails. */
  public static final String FAIL_ON_CHANGE = "failOnChange";

  /** Whose protocols are learned. */
  public static final String PROTOCOLS = "protocols";

  /** Where tests are written. */
  public static final String OUTPUT_DIRECTORY = "outputDirectory";

  /** Which written tests are promoted, by what they reach. */
  public static final String COVERS = "covers";

  /** How many tests of a class are promoted at most. */
  public static final String BEST_PER_CLASS = "bestPerClass";

  /** Whether to do nothing. */
  public static final String SKIP = "skip";

  /** Which test task (Gradle) or Surefire execution (Maven) is traced. */
  public static final String TEST_TASK = "testTask";

  /** Which method is explained; of the task and goal that explain, and of no other. */
  public static final String METHOD = "method";

  /** Which revision the code is compared with; of the task and goal that do, and of no other. */
  public static final String SINCE = "since";

  /** A system property of the build's JVM, with both build tools: where the native library is. */
  public static final String CACHE_DIRECTORY = "cacheDirectory";

  /**
   * How much happens in ordinary builds. Gradle only: in Maven the plugin's executions in the pom
   * say it.
   */
  public static final String AUTOMATIC = "automatic";

  /** Whether traces may get into a remote build cache. Gradle only: Maven's caches hold none. */
  public static final String CACHE_TRACES = "cacheTraces";

  /** The options that the engine reads, in the order of the documentation. */
  public static final List<String> ENGINE;

  /** Those of them that decide what is written. */
  public static final Set<String> DECIDING;

  /** The options that Gradle's plugin alone has. */
  public static final Set<String> GRADLE_ALONE = Set.of(AUTOMATIC, CACHE_TRACES);

  /** The options that both plugins have. */
  public static final Set<String> SHARED;

  static {
    List<String> engine = new ArrayList<>();
    Set<String> deciding = new TreeSet<>();
    for (String line : lines()) {
      String[] words = line.split(" ", -1);
      if (!line.startsWith("#")) {
        engine.add(words[0]);
        if (words.length > 1) {
          deciding.add(words[0]);
        }
      }
    }
    ENGINE = Collections.unmodifiableList(engine);
    DECIDING = Collections.unmodifiableSet(deciding);
    Set<String> shared = new TreeSet<>(engine);
    shared.add(SKIP);
    shared.add(TEST_TASK);
    SHARED = Collections.unmodifiableSet(shared);
  }

  private OptionNames() {}

  /** A test of the engine keeps this file as the engine's declarations are. */
  private static List<String> lines() {
    try (InputStream in = OptionNames.class.getResourceAsStream("settings.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
