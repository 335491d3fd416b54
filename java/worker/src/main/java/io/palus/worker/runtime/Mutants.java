package io.palus.worker.runtime;

import java.util.Arrays;

/**
 * The switch of the mutants that loaded classes hold, all at once (mutant schemata). Mutated code
 * asks here at each place that has a mutant; at most one is on.
 *
 * <p>While none is on, it is noted which of them a sequence reaches, and which of those would make
 * a difference right there: what makes none there makes none later, and need not run.
 *
 * <p>A class initialiser runs once for many sequences, so mutants do nothing inside of one.
 */
public final class Mutants {
  /** In a mark: the sequence came to the mutant's place. */
  public static final int REACHED = 1;

  /** In a mark: the mutant would have computed something else there. */
  public static final int INFECTED = 2;

  /** In a mark: a call that the mutant leaves out has not ended yet. */
  private static final int OPEN = 4;

  private static byte[] marks = new byte[1];
  private static int[] reached = new int[0];
  private static int reachedCount;
  private static int on;
  private static int mostFuel = Integer.MAX_VALUE;

  private Mutants() {}

  // What mutated code calls. Each method takes the mutant's number, from 1, last.

  /** True if left is less than right; with the mutant on, also where both are equal. */
  public static boolean less(int left, int right, int boundary) {
    boolean isBoundary = left == right;
    return isOn(boundary, isBoundary) ? left <= right : left < right;
  }

  /** True if left is greater than right; with the mutant on, also where both are equal. */
  public static boolean greater(int left, int right, int boundary) {
    return less(right, left, boundary);
  }

  /** True if both are equal. */
  public static boolean same(int left, int right) {
    return left == right;
  }

  /** True if both are one object. */
  public static boolean same(Object left, Object right) {
    return left == right;
  }

  /**
   * Whether one date comes before or after the other; with the mutant on, also where they are
   * equal.
   */
  public static boolean order(Object one, Object other, boolean holds, int mutant) {
    boolean isBoundary = ReplacedCalls.isSame(one, other);
    return isOn(mutant, isBoundary) && isBoundary ? !holds : holds;
  }

  /** Whether a condition holds, or true. */
  public static boolean always(boolean holds, int mutant) {
    return isOn(mutant, !holds) || holds;
  }

  /** Whether a condition holds, or false. */
  public static boolean never(boolean holds, int mutant) {
    return !isOn(mutant, holds) && holds;
  }

  /** Two ints; the opcode is that of the code as it was. */
  public static int math(int left, int right, int opcode, int mutant) {
    int result = Arithmetic.of(left, right, opcode);
    if (on != mutant && on != 0) {
      return result;
    }
    int other = Arithmetic.other(opcode);
    boolean isZeroDivided = other == Arithmetic.IDIV && right == 0;
    boolean isInfected = isZeroDivided || Arithmetic.of(left, right, other) != result;
    return isOn(mutant, isInfected) ? Arithmetic.of(left, right, other) : result;
  }

  /** Two longs, or a long and how far it is shifted. */
  public static long math(long left, long right, int opcode, int mutant) {
    int kind = opcode - 1;
    long result = Arithmetic.of(left, right, kind);
    if (on != mutant && on != 0) {
      return result;
    }
    int other = Arithmetic.other(kind);
    boolean isZeroDivided = other == Arithmetic.IDIV && right == 0;
    boolean isInfected = isZeroDivided || Arithmetic.of(left, right, other) != result;
    return isOn(mutant, isInfected) ? Arithmetic.of(left, right, other) : result;
  }

  /** A long that is shifted. */
  public static long math(long left, int right, int opcode, int mutant) {
    return math(left, (long) right, opcode, mutant);
  }

  /** Two floats. */
  public static float math(float left, float right, int opcode, int mutant) {
    int kind = opcode - 2;
    float result = Arithmetic.of(left, right, kind);
    float other = Arithmetic.of(left, right, Arithmetic.other(kind));
    return isOn(mutant, Float.compare(other, result) != 0) ? other : result;
  }

  /** Two doubles. */
  public static double math(double left, double right, int opcode, int mutant) {
    int kind = opcode - 3;
    double result = Arithmetic.of(left, right, kind);
    double other = Arithmetic.of(left, right, Arithmetic.other(kind));
    return isOn(mutant, Double.compare(other, result) != 0) ? other : result;
  }

  /** A variable plus a constant, or less it. */
  public static int increment(int value, int by, int mutant) {
    return isOn(mutant, by != 0) ? value - by : value + by;
  }

  /** Less the value, or the value. */
  public static int negate(int value, int mutant) {
    return isOn(mutant, value != -value) ? value : -value;
  }

  /** Less the value, or the value. */
  public static long negate(long value, int mutant) {
    return isOn(mutant, value != -value) ? value : -value;
  }

  /** Less the value, or the value. */
  public static float negate(float value, int mutant) {
    return isOn(mutant, Float.compare(value, -value) != 0) ? value : -value;
  }

  /** Less the value, or the value. */
  public static double negate(double value, int mutant) {
    return isOn(mutant, Double.compare(value, -value) != 0) ? value : -value;
  }

  /** What a field is given: the value, or what it holds. */
  public static int stores(int value, int held, int mutant) {
    return isOn(mutant, value != held) ? held : value;
  }

  /** What a field is given: the value, or what it holds. */
  public static long stores(long value, long held, int mutant) {
    return isOn(mutant, value != held) ? held : value;
  }

  /** What a field is given: the value, or what it holds. */
  public static float stores(float value, float held, int mutant) {
    return isOn(mutant, Float.compare(value, held) != 0) ? held : value;
  }

  /** What a field is given: the value, or what it holds. */
  public static double stores(double value, double held, int mutant) {
    return isOn(mutant, Double.compare(value, held) != 0) ? held : value;
  }

  /** What a field is given: the value, or what it holds. */
  public static Object stores(Object value, Object held, int mutant) {
    return isOn(mutant, value != held) ? held : value;
  }

  /** True if a call is left out. */
  public static boolean omits(int mutant) {
    return isOn(mutant, true);
  }

  /** True if null is returned in place of the value. */
  public static boolean nulls(Object value, int mutant) {
    return isOn(mutant, value != null);
  }

  /** What an int method returns: the value, or a constant. */
  public static int returns(int value, int constant, int mutant) {
    return isOn(mutant, value != constant) ? constant : value;
  }

  /** What a long method returns: the value, or 0. */
  public static long returns(long value, int mutant) {
    return isOn(mutant, value != 0) ? 0 : value;
  }

  /** What a float method returns: the value, or 0. */
  public static float returns(float value, int mutant) {
    return isOn(mutant, Float.compare(value, 0) != 0) ? 0 : value;
  }

  /** What a double method returns: the value, or 0. */
  public static double returns(double value, int mutant) {
    return isOn(mutant, Double.compare(value, 0) != 0) ? 0 : value;
  }

  /** What is returned: the value, or the plainest one of the type with this internal name. */
  public static Object returns(Object value, String type, int mutant) {
    return isOn(mutant, true) ? Plain.of(type) : value;
  }

  /** What is returned as a Boolean: the value, or a constant. */
  public static Object returns(Object value, boolean constant, int mutant) {
    return isOn(mutant, !Boolean.valueOf(constant).equals(value)) ? (Object) constant : value;
  }

  /** True if a call is left out that makes a difference only by what it gives, or by throwing. */
  static boolean omitsUnlessSame(int mutant) {
    // Still open from before: that call threw.
    boolean isOmitted = isOn(mutant, (marks[mutant] & OPEN) != 0);
    if (on == 0 && !Probes.isInitializing()) {
      marks[mutant] |= OPEN;
    }
    return isOmitted;
  }

  /** The call gave something. */
  static void gave(boolean isSame, int mutant) {
    if (on == 0 && (marks[mutant] & OPEN) != 0) {
      marks[mutant] &= ~OPEN;
      note(mutant, !isSame);
    }
  }

  static boolean isOn(int mutant, boolean isInfected) {
    if (on == 0) {
      note(mutant, isInfected);
      return false;
    }
    return on == mutant && !Probes.isInitializing();
  }

  private static void note(int mutant, boolean isInfected) {
    byte mark = (byte) (isInfected ? REACHED | INFECTED : REACHED);
    if ((marks[mutant] | mark) == marks[mutant] || Probes.isInitializing()) {
      return;
    }
    if (marks[mutant] == 0 && reachedCount < reached.length) {
      reached[reachedCount++] = mutant;
    }
    marks[mutant] |= mark;
  }

  // What the worker calls.

  /**
   * Makes room, with none on.
   *
   * @param count how many mutants there are
   */
  public static void hold(int count) {
    on = 0;
    reachedCount = 0;
    marks = new byte[count + 1];
    reached = new int[count];
  }

  /**
   * Turns one on, and the others off.
   *
   * @param mutant its number, from 1; 0 for none
   * @param fuel the most that a sequence may use from here on
   */
  public static void turnOn(int mutant, int fuel) {
    on = mutant;
    mostFuel = fuel;
  }

  static int mostFuel() {
    return mostFuel;
  }

  /**
   * How many classes hold.
   *
   * @return it
   */
  public static int count() {
    return reached.length;
  }

  /**
   * Whether classes hold any.
   *
   * @return it
   */
  public static boolean areHeld() {
    return count() > 0;
  }

  /**
   * Whether one is on.
   *
   * @return it
   */
  public static boolean isAnyOn() {
    return on != 0;
  }

  /** Starts a sequence: none is reached. */
  public static void reset() {
    for (int i = 0; i < reachedCount; i++) {
      marks[reached[i]] = 0;
    }
    reachedCount = 0;
  }

  /**
   * The mutants that the sequence reached so far, while none was on.
   *
   * @return their numbers, ascending
   */
  public static int[] reached() {
    int[] numbers = Arrays.copyOf(reached, reachedCount);
    Arrays.sort(numbers);
    return numbers;
  }

  /**
   * Whether a reached mutant would have made a difference.
   *
   * @param mutant its number
   * @return it
   */
  public static boolean isInfected(int mutant) {
    return (marks[mutant] & (INFECTED | OPEN)) != 0;
  }
}
