package io.palus.worker.runtime;

/** Notes calls that change what all code of the JVM shares, such as a system property. */
public final class Changes {
  private static boolean areAny;
  private static boolean areByInitializers;
  private static Runnable beforeFirst = () -> {};
  private static Runnable beforeInitializers = () -> {};

  private Changes() {}

  /** A call follows that changes something, or gives access to it. */
  public static void toSystem() {
    if (Probes.isInitializing()) {
      areByInitializers = true;
      beforeInitializers.run();
    } else if (!areAny) {
      areAny = true;
      beforeFirst.run();
    }
  }

  // What the worker calls.

  /**
   * Says who remembers what is about to change.
   *
   * @param first run before the first change of a sequence
   * @param initializers run before each change by a class initialiser: what it changes stays
   */
  public static void set(Runnable first, Runnable initializers) {
    beforeFirst = first;
    beforeInitializers = initializers;
  }

  /** Starts a sequence: nothing noted. */
  public static void reset() {
    areAny = false;
    areByInitializers = false;
  }

  /**
   * Whether a class initialiser may have changed anything since the reset.
   *
   * @return true if so
   */
  public static boolean areByInitializers() {
    return areByInitializers;
  }

  /**
   * Whether the sequence may have changed anything since the reset.
   *
   * @return true if so
   */
  public static boolean areAny() {
    return areAny;
  }
}
