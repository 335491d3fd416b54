package io.palus.worker.verify;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A line of the list of tests: a class, a method, how it runs, and whether it was written before.
 */
final class ListedTest {
  /** How a test runs. */
  enum How {
    /** Once. */
    ONCE,
    /** With all classes loaded anew before it. */
    ANEW,
    /** Again after all others, in rounds. */
    OFTEN,
    /** So, and some times in each round: what it draws is another thing each time. */
    DRAWN,
    /** With garbage collected after each of its calls, and then again and again. */
    COLLECT
  }

  private static final String KEPT = "kept";

  final String type;
  final String method;
  final How how;

  /** Whether an earlier run wrote it. */
  final boolean isKept;

  private ListedTest(String type, String method, How how, boolean isKept) {
    this.type = type;
    this.method = method;
    this.how = how;
    this.isKept = isKept;
  }

  /**
   * Reads a list.
   *
   * @throws IOException if a line of it is none
   */
  static List<ListedTest> read(byte[] list) throws IOException {
    List<ListedTest> tests = new ArrayList<>();
    // It refuses what is no text.
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new ByteArrayInputStream(list), StandardCharsets.UTF_8.newDecoder()))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        tests.add(of(line));
      }
    }
    return tests;
  }

  private static ListedTest of(String line) throws IOException {
    String[] words = line.split("\t", -1);
    boolean isKept = words.length > 2 && words[words.length - 1].equals(KEPT);
    int count = words.length - (isKept ? 1 : 0);
    boolean isWhole = count > 1 && !words[0].isEmpty() && !words[1].isEmpty();
    if (isWhole && count == 2) {
      return new ListedTest(words[0], words[1], How.ONCE, isKept);
    }
    for (How how : How.values()) {
      if (isWhole && count == 3 && words[2].equals(how.name().toLowerCase(Locale.ROOT))) {
        return new ListedTest(words[0], words[1], how, isKept);
      }
    }
    throw new IOException("the list of tests has a line that names none: " + line);
  }
}
