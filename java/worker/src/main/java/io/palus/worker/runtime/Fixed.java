package io.palus.worker.runtime;

import java.io.File;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Random;
import java.util.UUID;

/**
 * Stands in for sources of chance: clock, random numbers, names of temporary files. Each sequence
 * sees the same values; time goes on by a millisecond with each look at the clock, and by what is
 * waited for.
 */
public final class Fixed {
  private static final long START = 1_000_000_000_000L;
  private static final long SEED = 42;

  /** In names that mean nothing outside the worker. */
  private static final String MARK = "Palus$";

  private static long looks;
  private static Random random;
  private static long uuids;
  private static int files;

  private Fixed() {}

  /**
   * Instead of {@code System.currentTimeMillis()}.
   *
   * @return the fixed time
   */
  public static long currentTimeMillis() {
    return START + looks++;
  }

  /**
   * Instead of {@code System.nanoTime()}.
   *
   * @return the fixed time
   */
  public static long nanoTime() {
    return 1_000_000L * looks++;
  }

  /**
   * For {@code now(Clock)} instead of {@code now()}.
   *
   * @return a clock that stands still
   */
  public static Clock clock() {
    return Clock.fixed(Instant.ofEpochMilli(currentTimeMillis()), ZoneId.systemDefault());
  }

  /**
   * For {@code new Random(long)} instead of {@code new Random()}.
   *
   * @return the fixed seed
   */
  public static long seed() {
    return SEED;
  }

  /**
   * Instead of {@code Math.random()}.
   *
   * @return the next number of a fixed row
   */
  public static double random() {
    if (random == null) {
      random = new Random(SEED);
    }
    return random.nextDouble();
  }

  /**
   * Instead of {@code UUID.randomUUID()}.
   *
   * @return the next of a fixed row
   */
  public static UUID randomUUID() {
    return new UUID(0x4000L, 0x8000_0000_0000_0000L | uuids++);
  }

  /**
   * Instead of {@code File.createTempFile(String, String)}: the number in the name counts the
   * sequence's files.
   *
   * @param prefix as the original
   * @param suffix as the original
   * @return an empty file
   * @throws IOException as the original
   */
  public static File createTempFile(String prefix, String suffix) throws IOException {
    File made = TemporaryFiles.createTempFile(prefix, suffix);
    String start = new File(prefix).getName() + MARK + files++;
    String name = start + (suffix == null ? ".tmp" : suffix);
    File fixed = new File(made.getParentFile(), name);
    OwnUse.begin();
    try {
      if (!fixed.createNewFile() || !made.delete()) {
        return made;
      }
      OwnFiles.add(fixed);
      return fixed;
    } finally {
      OwnUse.end();
    }
  }

  /**
   * A wait is over.
   *
   * @param millis how long it was
   */
  static void pass(long millis) {
    looks += millis;
  }

  /** Starts a sequence: all rows from their beginnings. */
  public static void reset() {
    files = 0;
    looks = 0;
    random = null;
    uuids = 0;
  }
}
