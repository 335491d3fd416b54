package io.palus.worker.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.Locale;
import java.util.Random;
import java.util.TimeZone;
import java.util.UUID;

/**
 * Stands in for sources of chance: clock, random numbers, names of temporary files. Each sequence
 * sees the same values; time goes on by a millisecond with each look at the clock, and by what is
 * waited for.
 */
public final class Fixed {
  private static final long SEED = 42;

  /** In names that mean nothing outside the worker. */
  private static final String MARK = "Palus$";

  /** The original demands so many characters. */
  private static final int LEAST_PREFIX = 3;

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
    return Environment.start() + looks++;
  }

  /**
   * Instead of {@code System.nanoTime()}.
   *
   * @return the fixed time
   */
  public static long nanoTime() {
    return 1_000_000L * (Environment.row() + looks++);
  }

  /**
   * For {@code now(Clock)} instead of {@code now()}.
   *
   * @return a clock that shows the fixed time
   */
  public static Clock clock() {
    return clock(ZoneId.systemDefault());
  }

  /**
   * Instead of {@code Clock.system(ZoneId)}.
   *
   * @param zone as the original
   * @return a clock that shows the fixed time
   */
  public static Clock clock(ZoneId zone) {
    return new FixedClock(zone);
  }

  /**
   * Instead of {@code Clock.systemUTC()}.
   *
   * @return a clock that shows the fixed time
   */
  public static Clock utc() {
    return clock(ZoneOffset.UTC);
  }

  /**
   * Instead of {@code Calendar.getInstance()}.
   *
   * @return one that shows the fixed time
   */
  public static Calendar calendar() {
    return at(Calendar.getInstance());
  }

  /**
   * Instead of {@code Calendar.getInstance(TimeZone)}.
   *
   * @param zone as the original
   * @return one that shows the fixed time
   */
  public static Calendar calendar(TimeZone zone) {
    return at(Calendar.getInstance(zone));
  }

  /**
   * Instead of {@code Calendar.getInstance(Locale)}.
   *
   * @param locale as the original
   * @return one that shows the fixed time
   */
  public static Calendar calendar(Locale locale) {
    return at(Calendar.getInstance(locale));
  }

  /**
   * Instead of {@code Calendar.getInstance(TimeZone, Locale)}.
   *
   * @param zone as the original
   * @param locale as the original
   * @return one that shows the fixed time
   */
  public static Calendar calendar(TimeZone zone, Locale locale) {
    return at(Calendar.getInstance(zone, locale));
  }

  private static Calendar at(Calendar made) {
    show(made);
    return made;
  }

  /**
   * After {@code new GregorianCalendar()} and the like.
   *
   * @param made shows the fixed time from now on
   */
  public static void show(Calendar made) {
    made.setTimeInMillis(currentTimeMillis());
  }

  /**
   * Instead of {@code Clock.tickMillis(ZoneId)}.
   *
   * @param zone as the original
   * @return a clock that shows the fixed time in steps
   */
  public static Clock tickMillis(ZoneId zone) {
    return Clock.tick(clock(zone), Duration.ofMillis(1));
  }

  /**
   * Instead of {@code Clock.tickSeconds(ZoneId)}.
   *
   * @param zone as the original
   * @return a clock that shows the fixed time in steps
   */
  public static Clock tickSeconds(ZoneId zone) {
    return Clock.tick(clock(zone), Duration.ofSeconds(1));
  }

  /**
   * Instead of {@code Clock.tickMinutes(ZoneId)}.
   *
   * @param zone as the original
   * @return a clock that shows the fixed time in steps
   */
  public static Clock tickMinutes(ZoneId zone) {
    return Clock.tick(clock(zone), Duration.ofMinutes(1));
  }

  /**
   * Instead of {@code Runtime.availableProcessors()}.
   *
   * @param runtime the receiver
   * @return as the original, elsewhere more
   */
  public static int availableProcessors(Runtime runtime) {
    return runtime.availableProcessors() + Environment.row();
  }

  /**
   * For {@code new Random(long)} instead of {@code new Random()}.
   *
   * @return the fixed seed
   */
  public static long seed() {
    return SEED + Environment.row();
  }

  /**
   * Instead of {@code Math.random()}.
   *
   * @return the next number of a fixed row
   */
  public static double random() {
    if (random == null) {
      random = new Random(seed());
    }
    return random.nextDouble();
  }

  /**
   * Instead of {@code UUID.randomUUID()}.
   *
   * @return the next of a fixed row
   */
  public static UUID randomUUID() {
    return new UUID(0x4000L | (long) Environment.row() << 32, 0x8000_0000_0000_0000L | uuids++);
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
    boolean isPlain = prefix != null && prefix.length() >= LEAST_PREFIX && isPlain(suffix);
    File fixed = isPlain ? TemporaryFiles.create(fixedName(prefix, suffix)) : null;
    return fixed == null ? TemporaryFiles.createTempFile(prefix, suffix) : fixed;
  }

  /**
   * Instead of {@code Files.createTempDirectory(String, FileAttribute...)}, in the same way.
   *
   * @param prefix as the original
   * @param attributes as the original
   * @return an empty folder
   * @throws IOException as the original
   */
  public static Path createTempDirectory(String prefix, FileAttribute<?>[] attributes)
      throws IOException {
    boolean isOfNameAlone = prefix != null && isPlain(prefix) && attributes.length == 0;
    Path fixed = isOfNameAlone ? TemporaryFiles.createFolder(fixedName(prefix, "")) : null;
    return fixed == null ? TemporaryFiles.createTempDirectory(prefix, attributes) : fixed;
  }

  private static String fixedName(String prefix, String suffix) {
    String start = new File(prefix).getName() + MARK + files++;
    return start + (suffix == null ? ".tmp" : suffix);
  }

  /** Whether the original would take it as it is. */
  private static boolean isPlain(String suffix) {
    return suffix == null || new File(suffix).getName().equals(suffix);
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
