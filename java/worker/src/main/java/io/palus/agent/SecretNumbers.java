package io.palus.agent;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * Held-back values that are numbers, as Java's constants: {@code 73914682} is an int, a long, a
 * float and a double. Comes in: values. Goes out: whether a number is one of them, but for its
 * sign. Does not know which of them are secrets.
 */
final class SecretNumbers {
  /** Numbers of fewer digits are ports, counts and sizes. */
  static final int FEWEST_DIGITS = 6;

  private static final String LARGEST = Long.toString(Long.MAX_VALUE);

  private final long[] integers;
  private final long[] doubles;
  private final long[] floats;

  SecretNumbers(Set<String> values) {
    Set<Long> integers = new TreeSet<>();
    Set<Long> doubles = new TreeSet<>();
    Set<Long> floats = new TreeSet<>();
    for (String value : values) {
      String digits = digits(value);
      if (digits == null) {
        continue;
      }
      if (isLong(digits)) {
        integers.add(Long.parseLong(digits));
      }
      doubles.add(Double.doubleToRawLongBits(Double.parseDouble(digits)));
      floats.add((long) Float.floatToRawIntBits(Float.parseFloat(digits)));
    }
    doubles.removeAll(Arrays.asList(0L, Double.doubleToRawLongBits(Double.POSITIVE_INFINITY)));
    floats.removeAll(Arrays.asList(0L, (long) Float.floatToRawIntBits(Float.POSITIVE_INFINITY)));
    this.integers = sorted(integers);
    this.doubles = sorted(doubles);
    this.floats = sorted(floats);
  }

  private static long[] sorted(Set<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).toArray();
  }

  boolean hold(long number) {
    return isIn(integers, Math.abs(number));
  }

  boolean hold(float number) {
    return isIn(floats, Float.floatToRawIntBits(Math.abs(number)));
  }

  boolean hold(double number) {
    return isIn(doubles, Double.doubleToRawLongBits(Math.abs(number)));
  }

  private static boolean isLong(String digits) {
    int missing = LARGEST.length() - digits.length();
    return digits.indexOf('.') < 0
        && (missing > 0 || missing == 0 && digits.compareTo(LARGEST) <= 0);
  }

  private static boolean isIn(long[] numbers, long number) {
    return numbers.length > 0 && Arrays.binarySearch(numbers, number) >= 0;
  }

  /**
   * A number without sign, zeros before it and zeros after its point; null for other values and for
   * numbers of few digits.
   */
  private static String digits(String value) {
    int start = value.startsWith("-") || value.startsWith("+") ? 1 : 0;
    int point = value.indexOf('.', start);
    String whole = value.substring(start, point < 0 ? value.length() : point);
    String fraction = point < 0 ? "" : value.substring(point + 1);
    if (!isDecimal(whole + fraction)) {
      return null;
    }
    int zeros = 0;
    while (zeros < whole.length() && whole.charAt(zeros) == '0') {
      zeros++;
    }
    whole = whole.substring(zeros);
    int end = fraction.length();
    while (end > 0 && fraction.charAt(end - 1) == '0') {
      end--;
    }
    fraction = fraction.substring(0, end);
    zeros = 0;
    while (whole.isEmpty() && zeros < end && fraction.charAt(zeros) == '0') {
      zeros++;
    }
    if (whole.length() + end - zeros < FEWEST_DIGITS) {
      return null;
    }
    return end == 0 ? whole : whole + "." + fraction;
  }

  private static boolean isDecimal(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** A value as text of a double: {@code 7.3914682E7}; null where it is no number. */
  static String asDouble(String value) {
    String digits = digits(value);
    return digits == null ? null : Double.toString(Double.parseDouble(digits));
  }
}
