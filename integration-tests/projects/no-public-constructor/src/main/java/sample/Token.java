package sample;

/** Made by factories only; one class cannot be made at all. */
public final class Token {
  private final String text;
  private final int line;

  private Token(String text, int line) {
    this.text = text;
    this.line = line;
  }

  public static Token of(String text) {
    return new Token(text, 1);
  }

  public Token onLine(int number) {
    if (number < 1) {
      throw new IllegalArgumentException("lines start at 1");
    }
    return new Token(text, number);
  }

  public boolean isAfter(Token other) {
    return line > other.line;
  }

  /** Nobody makes one. */
  public static final class Ghost {
    private Ghost() {}

    public int weight(int scale) {
      return scale * 21;
    }
  }
}
