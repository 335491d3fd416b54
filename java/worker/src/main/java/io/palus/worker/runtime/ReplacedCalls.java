package io.palus.worker.runtime;

/**
 * Calls that change nothing, in mutated code: a mutant makes a difference where the call gives
 * something else than what would take its place, or throws.
 */
public final class ReplacedCalls {
  /** What would take the place of the call, by the mutant's number: a call has two at most. */
  private static final Object[] replacements = new Object[2];

  private ReplacedCalls() {}

  /** True if the call is left out; else it follows, then {@link #gave}, unless it throws. */
  public static boolean omits(Object replacement, int mutant) {
    replacements[mutant & 1] = replacement;
    return Mutants.omitsUnlessSame(mutant);
  }

  /** What the call gave. */
  public static void gave(Object result, int mutant) {
    Object replacement = replacements[mutant & 1];
    replacements[mutant & 1] = null;
    Mutants.gave(isSame(result, replacement), mutant);
  }

  static boolean isSame(Object one, Object other) {
    return one == other || one != null && isValue(one.getClass()) && one.equals(other);
  }

  /** Whether equals of the class calls nothing of the subject's. */
  private static boolean isValue(Class<?> type) {
    String name = type.getName();
    return name.startsWith("java.lang.")
        || name.startsWith("java.math.")
        || name.startsWith("java.time.");
  }
}
