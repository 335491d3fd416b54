package io.palus.worker.runtime;

import java.util.Arrays;

/**
 * What made the boolean that is about to be jumped on. Instrumented code calls these methods around
 * the comparisons and calls that make one, so that a jump on it is measured by its making.
 *
 * <p>One comparison is current at a time. It is <em>ready</em> from where its boolean is pushed to
 * where it is jumped on, stored or returned to; else at most in the making.
 */
public final class Flags {
  private static final int NONE = 0;
  private static final int IN_THE_MAKING = 1;
  private static final int READY = 2;

  private static final Comparison CURRENT = new Comparison();
  private static int state;

  /** By number of a boolean variable, what made its value, and the depth of the call that did. */
  private static Comparison[] kept = new Comparison[64];

  private static int[] depths = new int[64];
  private static int keptCount;

  /** The map that was asked last, and for what. */
  private static Object askedMap;

  private static Object askedKey;

  private Flags() {}

  // What instrumented code calls.

  /** A boolean of unknown making is pushed, or code that may make one is about to be called. */
  public static void forget() {
    state = NONE;
  }

  /** The boolean is pushed that the last jump decided. */
  public static void ready() {
    if (state == IN_THE_MAKING) {
      state = READY;
    }
  }

  /**
   * A call that compares two objects follows.
   *
   * @param first its receiver or first argument
   * @param second its last argument
   * @param kind see {@link Comparison}
   */
  public static void calls(Object first, Object second, int kind) {
    if (Distances.isOn) {
      if (kind == Comparison.ORDER) {
        OrderedValues.set(CURRENT, first, second);
      } else {
        CURRENT.set(kind, first, second);
      }
      state = READY;
    }
  }

  /**
   * A call that asks one object follows.
   *
   * @param first its receiver
   * @param kind see {@link Comparison}
   */
  public static void calls(Object first, int kind) {
    calls(first, null, kind);
  }

  /**
   * A map is about to be asked for what a key stands for.
   *
   * @param map the map
   * @param key what it is asked for
   */
  public static void looksUp(Object map, Object key) {
    if (Distances.isOn) {
      askedMap = map;
      askedKey = key;
    }
  }

  /**
   * Instead of {@code lcmp} before a jump.
   *
   * @param left the first operand
   * @param right the second
   * @return as the instruction
   */
  public static int compare(long left, long right) {
    if (Distances.isOn) {
      CURRENT.set(Comparison.LONGS, left, right, Double.NaN);
      state = READY;
    }
    return left < right ? -1 : left == right ? 0 : 1;
  }

  /**
   * Instead of {@code fcmpl} and {@code fcmpg} before a jump.
   *
   * @param left the first operand
   * @param right the second
   * @param unordered what a NaN gives
   * @return as the instruction
   */
  public static int compare(float left, float right, int unordered) {
    if (Distances.isOn) {
      long bits = Float.floatToRawIntBits(left);
      CURRENT.set(Comparison.FLOATS, bits, Float.floatToRawIntBits(right), Double.NaN);
      state = READY;
    }
    return left < right ? -1 : left > right ? 1 : left == right ? 0 : unordered;
  }

  /**
   * Instead of {@code dcmpl} and {@code dcmpg} before a jump.
   *
   * @param left the first operand
   * @param right the second
   * @param unordered what a NaN gives
   * @return as the instruction
   */
  public static int compare(double left, double right, int unordered) {
    if (Distances.isOn) {
      long bits = Double.doubleToRawLongBits(left);
      CURRENT.set(Comparison.DOUBLES, bits, Double.doubleToRawLongBits(right), Double.NaN);
      state = READY;
    }
    return left < right ? -1 : left > right ? 1 : left == right ? 0 : unordered;
  }

  /**
   * A boolean is about to be stored.
   *
   * @param value the boolean
   * @param variable number of the variable
   */
  public static void keep(int value, int variable) {
    if (Distances.isOn) {
      boolean isKnown = state == READY;
      if (isKnown) {
        CURRENT.decide(value, 0, true);
        CURRENT.forgetObjects();
        kept[variable].set(CURRENT);
      }
      depths[variable] = isKnown ? Probes.depth : -1;
      state = NONE;
    }
  }

  /**
   * A boolean variable is loaded.
   *
   * @param variable its number
   */
  public static void load(int variable) {
    if (Distances.isOn) {
      // A call of the same method further down may have stored its own.
      boolean isKnown = depths[variable] == Probes.depth;
      if (isKnown) {
        CURRENT.set(kept[variable]);
      }
      state = isKnown ? READY : NONE;
    }
  }

  // What jumps call.

  /**
   * The other outcome of a jump on null is wanted: the null is likely what the last map said of a
   * key that it does not have.
   */
  static void isNull(int number) {
    if (askedMap != null) {
      Operands.addMissing(number, askedMap, askedKey);
    }
  }

  static boolean isReady() {
    return state == READY;
  }

  /** A jump on what is ready; the number of the other outcome, if it is wanted, else negative. */
  static void jump(int value, int against, boolean isEquality, int number, boolean defines) {
    CURRENT.decide(value, against, isEquality);
    if (number >= 0) {
      Distances.note(number, CURRENT.distance());
      Operands.add(number, CURRENT);
    }
    state = defines ? IN_THE_MAKING : NONE;
  }

  static void define(int kind, long left, long right, double distance) {
    CURRENT.set(kind, left, right, distance);
    state = IN_THE_MAKING;
  }

  static void definePlain() {
    define(Comparison.PLAIN, 0, 0, 1);
  }

  /** The String whose hash code is switched on; null where that is not known. */
  static String switchedText(int hash) {
    boolean isKnown =
        state == READY
            && CURRENT.kind == Comparison.HASH_CODE
            && CURRENT.first instanceof String
            && CURRENT.first.hashCode() == hash;
    state = NONE;
    return isKnown ? (String) CURRENT.first : null;
  }

  // What the worker calls.

  /**
   * Numbers one more boolean variable.
   *
   * @return its number
   */
  public static int addVariable() {
    if (keptCount == kept.length) {
      kept = Arrays.copyOf(kept, keptCount * 2);
      depths = Arrays.copyOf(depths, keptCount * 2);
    }
    depths[keptCount] = -1;
    kept[keptCount] = new Comparison();
    return keptCount++;
  }

  /** Forgets the current comparison and its objects. */
  static void clear() {
    state = NONE;
    CURRENT.set(Comparison.PLAIN, 0, 0, 1);
    askedMap = null;
    askedKey = null;
  }
}
