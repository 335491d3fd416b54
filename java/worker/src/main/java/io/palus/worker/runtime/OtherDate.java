package io.palus.worker.runtime;

/**
 * A date that differs from the real one in century, year, month, weekday and time of day, for code
 * whose answers are not to rest on the date. Two digits of a year mean another century then.
 */
public final class OtherDate {
  /** How many milliseconds the date is ahead: about 100 years, 5 months, 11 days and 7 hours. */
  public static final long AHEAD = ((36_689 * 24L + 7) * 3600 + 1421) * 1000 + 617;

  private OtherDate() {}

  /**
   * Instead of {@code System.currentTimeMillis()}.
   *
   * @return the other time
   */
  public static long currentTimeMillis() {
    return System.currentTimeMillis() + AHEAD;
  }
}
