package io.palus.worker.runtime;

import java.util.Locale;
import java.util.TimeZone;

/**
 * What differs between machines and between runs: the date, random rows, variables and properties,
 * locale and time zone. Number 0 is the usual one; the others differ from it and from each other in
 * all of these. Nobody looks at what a sequence gives in them, only at what it does. The last one
 * differs in date, random rows, locale and time zone alone, as the second verification does: what a
 * sequence gives there, too, a test may assert.
 */
public final class Environment {
  /** A Sunday, a leap day, the last day of a year, the first of a month. */
  private static final long[] STARTS = {
    1_000_000_000_000L,
    1_709_210_096_789L,
    1_924_991_999_999L,
    1_777_593_600_000L,
    4_861_234_567_890L
  };

  /** Different lengths, one is a number, none is the other's part. */
  private static final String[] VALUES = {null, "17", "true", "x-y/z.1 of another machine", null};

  private static final String[] LOCALES = {null, "tr-TR", "de-DE", "ja-JP", "tr-TR"};
  private static final String[] ZONES = {
    null, "Asia/Kolkata", "America/Los_Angeles", "Pacific/Chatham", "Asia/Kolkata"
  };

  /** The machine is the same in the last one. */
  private static final int LAST = STARTS.length - 1;

  /** Properties that the JVM sets, and what they are elsewhere: names by blanks, then values. */
  private static final String[][] FACTS = {
    {"os.name", "Windows 11", "Mac OS X", "AIX"},
    {"os.version", "10.0", "14.5", "7.3"},
    {"os.arch", "x86", "aarch64", "ppc64"},
    {"java.version java.runtime.version java.vm.version", "1.8.0_292", "11.0.2", "21.0.1"},
    {"java.specification.version", "1.8", "11", "21"},
    {"java.vendor java.vm.vendor java.vendor.url", "Acme", "Apex Inc.", "Zulu"},
    {"java.vm.name java.runtime.name", "J9", "Zing", "Client VM"},
    {"user.name", "root", "jenkins", "ada"},
    {"user.language", "tr", "de", "ja"},
    {"user.country", "TR", "DE", "JP"},
    {"user.timezone", "Asia/Kolkata", "America/Los_Angeles", "Pacific/Chatham"},
    {"file.encoding", "windows-1252", "US-ASCII", "ISO-8859-1"},
    {"sun.arch.data.model", "32", "128", "16"},
    {"java.class.path", "a.jar", "lib/b.jar", "classes"},
  };

  private static final Locale LOCALE = Locale.getDefault();
  private static final TimeZone ZONE = TimeZone.getDefault();

  private static int number;

  private Environment() {}

  /** Milliseconds since 1970 at which a sequence begins. */
  static long start() {
    return STARTS[number];
  }

  /** To be added to what starts a random row. */
  static int row() {
    return number;
  }

  /** What variables and properties that are not set here seem to be set to; null for nothing. */
  static String value() {
    return VALUES[number];
  }

  /** A property that is set here, as it is there. */
  static String property(String name, String here) {
    if (number == 0 || number == LAST || here == null || name == null) {
      return here;
    }
    for (String[] fact : FACTS) {
      if ((" " + fact[0] + " ").contains(" " + name + " ")) {
        return fact[number];
      }
    }
    return here;
  }

  // What the worker calls.

  /**
   * Goes into one; what code of the JDK read before stays as it was.
   *
   * @param entered its number, from 0; of those there are not, the last one
   */
  public static void enter(int entered) {
    int known = Math.min(entered, LAST);
    if (known != 0 || number != 0) {
      Locale.setDefault(known == 0 ? LOCALE : Locale.forLanguageTag(LOCALES[known]));
      TimeZone.setDefault(known == 0 ? ZONE : TimeZone.getTimeZone(ZONES[known]));
    }
    number = known;
  }
}
