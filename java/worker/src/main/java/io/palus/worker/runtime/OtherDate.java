package io.palus.worker.runtime;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/**
 * A date that differs from the real one in century, year, month, weekday and time of day, for code
 * whose answers are not to rest on the date. Two digits of a year mean another century then.
 *
 * <p>The time goes on between any two questions of the subject, as on a machine that has other
 * things to do: a test that passes only where little time lies between them is not to be kept.
 */
public final class OtherDate {
  /** How many milliseconds the date is ahead: about 100 years, 5 months, 11 days and 7 hours. */
  public static final long AHEAD = ((36_689 * 24L + 7) * 3600 + 1421) * 1000 + 617;

  /** Milliseconds that go by until the next question. */
  private static final long STEP = 3000;

  private static final AtomicLong questions = new AtomicLong();

  private OtherDate() {}

  private static long passed() {
    return questions.incrementAndGet() * STEP;
  }

  /**
   * Instead of {@code System.currentTimeMillis()}.
   *
   * @return the other time
   */
  public static long currentTimeMillis() {
    return System.currentTimeMillis() + AHEAD + passed();
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
   * Instead of {@code Condition.awaitUntil(Date)}: what went by in steps need not be waited for.
   *
   * @param condition the receiver
   * @param deadline as the original
   * @return as the original
   * @throws InterruptedException as the original
   */
  public static boolean awaitUntil(Condition condition, Date deadline) throws InterruptedException {
    return condition.awaitUntil(new Date(deadline.getTime() - questions.get() * STEP));
  }

  /**
   * Instead of {@code LockSupport.parkUntil(long)}.
   *
   * @param deadline as the original
   */
  public static void parkUntil(long deadline) {
    LockSupport.parkUntil(deadline - questions.get() * STEP);
  }

  /**
   * Instead of {@code LockSupport.parkUntil(Object, long)}.
   *
   * @param blocker as the original
   * @param deadline as the original
   */
  public static void parkUntil(Object blocker, long deadline) {
    LockSupport.parkUntil(blocker, deadline - questions.get() * STEP);
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
      return system.instant().plusMillis(passed());
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
