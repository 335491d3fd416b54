package io.palus.host;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names of everything a user may set, the same in both plugins. In Maven the property is {@code
 * palus.<name>}.
 *
 * <p>The engine alone knows the defaults of what it reads ({@link #ENGINE}): a plugin passes on
 * what the user set and nothing else. The few defaults that a plugin needs by itself are in {@link
 * Defaults}.
 */
public final class OptionNames {
  /** Globs over the names of classes that get tests. */
  public static final String CLASSES = "classes";

  /** Globs over the names of classes that get none. */
  public static final String EXCLUDES = "excludes";

  /** Steps (executed sequences) per class. */
  public static final String BUDGET = "budget";

  /** Seconds for the whole run. */
  public static final String TIME_LIMIT = "timeLimit";

  /** What random choices are drawn from. */
  public static final String SEED = "seed";

  /** How many worker JVMs run at a time. */
  public static final String WORKERS = "workers";

  /** Heap of one worker JVM in MiB. */
  public static final String WORKER_MEMORY = "workerMemory";

  /** Whether a run goes on where the kernel cannot guard what the code under test does. */
  public static final String SANDBOX = "sandbox";

  /** Which JUnit the written tests are for. */
  public static final String FRAMEWORK = "framework";

  /** How sequences are found: the whole of Palus, or a part of it for comparisons. */
  public static final String MODE = "mode";

  /** Length of the call sequences by which states of models are told apart; 0 for all of them. */
  public static final String K_TAIL = "kTail";

  /** Whether a dependent method is called after or before the one that a model calls. */
  public static final String DEPENDENT_POSITION = "dependentPosition";

  /** How branches that are still open are searched for. */
  public static final String SEARCH = "search";

  /** Whether default contracts are checked. */
  public static final String CONTRACTS = "contracts";

  /** Whether theories of the test classes are tried. */
  public static final String THEORIES = "theories";

  /** Where tests that show a broken rule are written. */
  public static final String FINDINGS_DIRECTORY = "findingsDirectory";

  /** The file of known findings. */
  public static final String BASELINE = "baseline";

  /** Whether the findings of this run become the known ones. */
  public static final String UPDATE_BASELINE = "updateBaseline";

  /** Where tests are written. */
  public static final String OUTPUT_DIRECTORY = "outputDirectory";

  /** Whether to do nothing. */
  public static final String SKIP = "skip";

  /** Which test task (Gradle) or Surefire execution (Maven) is traced. */
  public static final String TEST_TASK = "testTask";

  /** Which method is explained; of the task and goal that explain, and of no other. */
  public static final String METHOD = "method";

  /**
   * How much happens in ordinary builds. Gradle only: in Maven the plugin's executions in the pom
   * say it.
   */
  public static final String AUTOMATIC = "automatic";

  /** Whether traces may get into a remote build cache. Gradle only: Maven's caches hold none. */
  public static final String CACHE_TRACES = "cacheTraces";

  /** The options that the engine reads, in the order of the documentation. */
  public static final List<String> ENGINE =
      List.of(
          CLASSES,
          EXCLUDES,
          BUDGET,
          TIME_LIMIT,
          SEED,
          WORKERS,
          WORKER_MEMORY,
          SANDBOX,
          FRAMEWORK,
          MODE,
          K_TAIL,
          DEPENDENT_POSITION,
          SEARCH,
          CONTRACTS,
          THEORIES,
          FINDINGS_DIRECTORY,
          BASELINE,
          UPDATE_BASELINE,
          OUTPUT_DIRECTORY);

  /** The options that both plugins have. */
  public static final Set<String> SHARED = shared();

  private OptionNames() {}

  private static Set<String> shared() {
    Set<String> names = new TreeSet<>(ENGINE);
    names.add(SKIP);
    names.add(TEST_TASK);
    return Collections.unmodifiableSet(names);
  }
}
