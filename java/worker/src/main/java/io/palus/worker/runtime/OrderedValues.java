package io.palus.worker.runtime;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.util.Date;

/** Objects of the JDK that are compared by an order, as the numbers that have the same order. */
final class OrderedValues {
  private OrderedValues() {}

  /** What a call compares; of objects of other classes nothing is known. */
  static void set(Comparison comparison, Object first, Object second) {
    if (isDecimal(first) && isDecimal(second)) {
      long left = Double.doubleToRawLongBits(((Number) first).doubleValue());
      long right = Double.doubleToRawLongBits(((Number) second).doubleValue());
      comparison.set(Comparison.DOUBLES, left, right, Double.NaN);
      return;
    }
    boolean isSame = first != null && second != null && first.getClass() == second.getClass();
    Long left = isSame ? number(first) : null;
    Long right = isSame ? number(second) : null;
    if (left == null || right == null) {
      comparison.set(Comparison.PLAIN, null, null);
    } else {
      comparison.set(Comparison.LONGS, left, right, Double.NaN);
    }
  }

  /** Not of subclasses: what these do is the subject's. */
  private static boolean isDecimal(Object value) {
    return value != null
        && (value.getClass() == BigDecimal.class || value.getClass() == BigInteger.class);
  }

  private static Long number(Object value) {
    if (value instanceof LocalDate) {
      return ((LocalDate) value).toEpochDay();
    } else if (value instanceof LocalDateTime) {
      return ((LocalDateTime) value).toEpochSecond(ZoneOffset.UTC);
    } else if (value instanceof LocalTime) {
      return (long) ((LocalTime) value).toSecondOfDay();
    } else if (value instanceof Instant) {
      return ((Instant) value).getEpochSecond();
    } else if (value instanceof ZonedDateTime) {
      return ((ZonedDateTime) value).toEpochSecond();
    } else if (value instanceof Duration) {
      return ((Duration) value).getSeconds();
    } else if (value instanceof YearMonth) {
      return ((YearMonth) value).getLong(ChronoField.PROLEPTIC_MONTH);
    } else if (value instanceof Year) {
      return (long) ((Year) value).getValue();
    } else if (value.getClass() == Date.class) {
      return ((Date) value).getTime();
    }
    return null;
  }
}
