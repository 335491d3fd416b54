package io.palus.worker.runtime;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * What mutated code asks where it reads a field of an enum's constant: the mutants of a field are
 * numbered in the order of the constants. A sequence that reads the field of one comes to those of
 * all, since it need only be called on another; a difference it would make to that one alone.
 */
public final class ConstantValues {
  private ConstantValues() {}

  // Each method takes the number of the field's mutant in the first constant, and how many there
  // are, last.

  /** The value of a field, or another one. */
  public static boolean of(Enum<?> constant, boolean value, int first, int count) {
    return isOther(constant, first, count, true) ? !value : value;
  }

  /** The value of a field, or another one. */
  public static byte of(Enum<?> constant, byte value, int first, int count) {
    return isOther(constant, first, count, true) ? (byte) (value + 1) : value;
  }

  /** The value of a field, or another one. */
  public static char of(Enum<?> constant, char value, int first, int count) {
    return isOther(constant, first, count, true) ? (char) (value + 1) : value;
  }

  /** The value of a field, or another one. */
  public static short of(Enum<?> constant, short value, int first, int count) {
    return isOther(constant, first, count, true) ? (short) (value + 1) : value;
  }

  /** The value of a field, or another one. */
  public static int of(Enum<?> constant, int value, int first, int count) {
    return isOther(constant, first, count, true) ? value + 1 : value;
  }

  /** The value of a field, or another one. */
  public static long of(Enum<?> constant, long value, int first, int count) {
    return isOther(constant, first, count, true) ? value + 1 : value;
  }

  /** The value of a field, or another one. */
  public static float of(Enum<?> constant, float value, int first, int count) {
    return isOther(constant, first, count, true) ? other(value) : value;
  }

  /** The value of a field, or another one. */
  public static double of(Enum<?> constant, double value, int first, int count) {
    return isOther(constant, first, count, true) ? other(value) : value;
  }

  /** The value of a field, or another one. */
  public static Object of(Enum<?> constant, Object value, int first, int count) {
    return isOther(constant, first, count, value != null) ? other(value) : value;
  }

  /** One more, or where that is the same the value with the other sign; 0 for what is no number. */
  private static double other(double value) {
    if (Double.isNaN(value)) {
      return 0;
    }
    double more = value + 1;
    return more != value ? more : -value;
  }

  private static float other(float value) {
    if (Float.isNaN(value)) {
      return 0;
    }
    float more = value + 1;
    return more != value ? more : -value;
  }

  /** Another value of the same class where one can be told, else null. */
  static Object other(Object value) {
    if (value instanceof String) {
      return value + "?";
    } else if (value instanceof Boolean) {
      return !(Boolean) value;
    } else if (value instanceof Integer) {
      return (Integer) value + 1;
    } else if (value instanceof Long) {
      return (Long) value + 1;
    } else if (value instanceof Double) {
      return other(((Double) value).doubleValue());
    } else if (value != null && value.getClass() == BigDecimal.class) {
      return ((BigDecimal) value).add(BigDecimal.ONE);
    } else if (value != null && value.getClass() == BigInteger.class) {
      return ((BigInteger) value).add(BigInteger.ONE);
    }
    return null;
  }

  private static boolean isOther(Enum<?> constant, int first, int count, boolean isInfected) {
    int ordinal = constant.ordinal();
    if (!Mutants.isAnyOn()) {
      for (int other = 0; other < count; other++) {
        Mutants.isOn(first + other, isInfected && other == ordinal);
      }
      return false;
    }
    return ordinal < count && Mutants.isOn(first + ordinal, isInfected);
  }
}
