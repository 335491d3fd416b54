package io.palus.worker.runtime;

/** Notes calls that change what all code of the JVM shares, such as a system property. */
public final class Changes {
  private static final ClassLoader OF_TESTS = ClassLoader.getSystemClassLoader();

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

  /**
   * Denies a change of an object of the JDK's own.
   *
   * @param changed the object; one of another's class is left to the method called
   * @param what what the subject wanted to do
   */
  public static void ofJdk(Object changed, String what) {
    ClassLoader loader = changed == null ? OF_TESTS : changed.getClass().getClassLoader();
    if (loader == null || loader == OF_TESTS.getParent()) {
      Guard.deny(what);
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
