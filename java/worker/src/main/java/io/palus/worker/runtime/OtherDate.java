package io.palus.worker.runtime;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/**
 * A date that differs from the real one in century, year, month, weekday and time of day, for code
 * whose answers are not to rest on the date. Two digits of a year mean another century then. The
 * subject's own questions can be given further dates.
 *
 * <p>The time goes on between any two questions of the subject, as on a machine that has other
 * things to do: a test that passes only where little time lies between them is not to be kept.
 */
public final class OtherDate {
  /** How many milliseconds the date is ahead: about 100 years, 5 months, 11 days and 7 hours. */
  public static final long AHEAD = ((36_689 * 24L + 7) * 3600 + 1421) * 1000 + 617;

  /** Milliseconds that go by until the next question. */
  private static final long STEP = 3000;

  /**
   * Dates on which code may do other things than on most, and others, so that each month, each
   * weekday, most hours and each last digit of a year are there: year, month, day, hour and minute.
   * In whole centuries none of them is near to another, nor to today for many years to come: two
   * digits of a year, or a window around today, say other things there.
   */
  private static final int[][] DATES = {
    {2164, 1, 1, 0, 0}, {2148, 2, 29, 12, 7}, {2181, 3, 31, 23, 59}, {2155, 4, 30, 18, 30},
    {2139, 5, 1, 6, 1}, {2172, 6, 15, 13, 13}, {2143, 7, 4, 9, 45}, {2186, 8, 13, 17, 2},
    {2167, 9, 9, 3, 33}, {2150, 10, 10, 20, 20}, {2174, 11, 11, 11, 11}, {2158, 12, 24, 15, 55},
    {2179, 12, 31, 22, 22}, {2141, 1, 28, 8, 8}, {2183, 2, 2, 1, 16}, {2160, 3, 3, 4, 24},
    {2145, 5, 5, 5, 5}, {2177, 6, 6, 10, 40}, {2152, 7, 18, 2, 50}, {2169, 10, 26, 16, 36},
  };

  private static final AtomicLong questions = new AtomicLong();

  /** Milliseconds by which the subject's own questions are answered with another date still. */
  private static volatile long moved;

  private OtherDate() {}

  private static long passed() {
    return questions.incrementAndGet() * STEP;
  }

  /**
   * From now on the subject's own questions are answered with one of several dates.
   *
   * @param number which one, from 0; after the last comes the first
   */
  public static void move(int number) {
    int[] to = DATES[number % DATES.length];
    Calendar date = new GregorianCalendar(to[0], to[1] - 1, to[2], to[3], to[4]);
    moved = date.getTimeInMillis() - System.currentTimeMillis() - AHEAD - questions.get() * STEP;
  }

  /** From now on they are answered with the date that all code sees. */
  public static void moveBack() {
    moved = 0;
  }

  /**
   * Instead of {@code System.currentTimeMillis()}.
   *
   * @return the other time
   */
  public static long currentTimeMillis() {
    return System.currentTimeMillis() + AHEAD + moved + passed();
  }

  /**
   * Instead of {@code System.nanoTime()}.
   *
   * @return the other time
   */
  public static long nanoTime() {
    return System.nanoTime() + passed() * 1_000_000;
  }

  /**
   * Instead of {@code Clock.systemDefaultZone()}.
   *
   * @return a clock that shows the other time
   */
  public static Clock clock() {
    return new Steps(Clock.systemDefaultZone());
  }

  /**
   * Instead of {@code Clock.system(ZoneId)}.
   *
   * @param zone as the original
   * @return a clock that shows the other time
   */
  public static Clock clock(ZoneId zone) {
    return new Steps(Clock.system(zone));
  }

  /**
   * Instead of {@code Clock.systemUTC()}.
   *
   * @return a clock that shows the other time
   */
  public static Clock utc() {
    return new Steps(Clock.systemUTC());
  }

  /**
   * Instead of {@code Clock.tickMillis(ZoneId)}.
   *
   * @param zone as the original
   * @return a clock that shows the other time
   */
  public static Clock tickMillis(ZoneId zone) {
    return Clock.tick(clock(zone), Duration.ofMillis(1));
  }

  /**
   * Instead of {@code Clock.tickSeconds(ZoneId)}.
   *
   * @param zone as the original
   * @return a clock that shows the other time
   */
  public static Clock tickSeconds(ZoneId zone) {
    return Clock.tick(clock(zone), Duration.ofSeconds(1));
  }

  /**
   * Instead of {@code Clock.tickMinutes(ZoneId)}.
   *
   * @param zone as the original
   * @return a clock that shows the other time
   */
  public static Clock tickMinutes(ZoneId zone) {
    return Clock.tick(clock(zone), Duration.ofMinutes(1));
  }

  /**
   * Instead of {@code Calendar.getInstance()}.
   *
   * @return a calendar of the other time
   */
  public static Calendar calendar() {
    return shown(Calendar.getInstance());
  }

  /**
   * Instead of {@code Calendar.getInstance(TimeZone)}.
   *
   * @param zone as the original
   * @return a calendar of the other time
   */
  public static Calendar calendar(TimeZone zone) {
    return shown(Calendar.getInstance(zone));
  }

  /**
   * Instead of {@code Calendar.getInstance(Locale)}.
   *
   * @param locale as the original
   * @return a calendar of the other time
   */
  public static Calendar calendar(Locale locale) {
    return shown(Calendar.getInstance(locale));
  }

  /**
   * Instead of {@code Calendar.getInstance(TimeZone, Locale)}.
   *
   * @param zone as the original
   * @param locale as the original
   * @return a calendar of the other time
   */
  public static Calendar calendar(TimeZone zone, Locale locale) {
    return shown(Calendar.getInstance(zone, locale));
  }

  /**
   * Sets a calendar that was just made.
   *
   * @param calendar it
   */
  public static void show(Calendar calendar) {
    calendar.setTimeInMillis(currentTimeMillis());
  }

  private static Calendar shown(Calendar calendar) {
    show(calendar);
    return calendar;
  }

  /**
   * Instead of {@code Condition.awaitUntil(Date)}: what went by in steps need not be waited for.
   *
   * @param condition the receiver
   * @param deadline as the original
   * @return as the original
   * @throws InterruptedException as the original
   */
  public static boolean awaitUntil(Condition condition, Date deadline) throws InterruptedException {
    return condition.awaitUntil(new Date(deadline.getTime() - more()));
  }

  /**
   * Instead of {@code LockSupport.parkUntil(long)}.
   *
   * @param deadline as the original
   */
  public static void parkUntil(long deadline) {
    LockSupport.parkUntil(deadline - more());
  }

  /**
   * Instead of {@code LockSupport.parkUntil(Object, long)}.
   *
   * @param blocker as the original
   * @param deadline as the original
   */
  public static void parkUntil(Object blocker, long deadline) {
    LockSupport.parkUntil(blocker, deadline - more());
  }

  /** By how much the date is ahead of that of the JDK's own clocks. */
  private static long more() {
    return moved + questions.get() * STEP;
  }

  /** The JDK's own clocks show the other date already. */
  private static final class Steps extends Clock {
    private final Clock system;

    Steps(Clock system) {
      this.system = system;
    }

    @Override
    public ZoneId getZone() {
      return system.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return new Steps(system.withZone(zone));
    }

    @Override
    public Instant instant() {
      return system.instant().plusMillis(moved + passed());
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Steps && system.equals(((Steps) other).system);
    }

    @Override
    public int hashCode() {
      return system.hashCode();
    }

    @Override
    public String toString() {
      return system.toString();
    }
  }
}
