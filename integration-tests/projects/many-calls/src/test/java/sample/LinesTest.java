package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.StringReader;
import org.junit.jupiter.api.Test;

/** As tests of a library that reads files of millions of lines. */
class LinesTest {
  private static final int LINES = 2_000;

  @Test
  void readsManyLines() {
    assertEquals(LINES * 4 + 1_000 + 57, read());
  }

  static long read() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      text.append("name").append(i % 50).append(", street").append(i % 7);
      text.append(", ").append(i % 1_000).append('\n');
    }
    return new Lines().read(new StringReader(text.toString())).total();
  }

  /** Reads so many times as the argument says: for `tracing-cost.sh`. */
  public static void main(String[] arguments) {
    for (int left = Integer.parseInt(arguments[0]); left > 0; left--) {
      read();
    }
  }
}
