package io.palus.host;

/** The defaults that the plugins need before the engine is asked, the same in both. */
public final class Defaults {
  /** The default of {@link OptionNames#SKIP}. */
  public static final boolean SKIP = false;

  /**
   * The default of {@link OptionNames#TEST_TASK}; in Maven it means Surefire's own {@code
   * default-test}.
   */
  public static final String TEST_TASK = "test";

  /** How many entries of one method are recorded before whole object histories are dropped. */
  public static final int TRACE_CAP = 10_000;

  private Defaults() {}
}
