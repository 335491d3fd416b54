package sample;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;

/** One character after the other, with a look ahead. */
public class Source {
  private static final int UNREAD = -2;

  private final Reader in;
  private int ahead = UNREAD;
  private int line = 1;

  public Source(Reader in) {
    this.in = in;
  }

  private void fill() {
    if (ahead == UNREAD) {
      try {
        ahead = in.read();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public boolean hasNext() {
    fill();
    return ahead >= 0;
  }

  public char peek() {
    fill();
    return (char) ahead;
  }

  public char next() {
    fill();
    char next = (char) ahead;
    ahead = UNREAD;
    if (next == '\n') {
      line++;
    }
    return next;
  }

  public int line() {
    return line;
  }
}
