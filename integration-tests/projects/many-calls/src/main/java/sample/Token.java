package sample;

/** One field of a line. */
public class Token {
  /** What follows it. */
  public enum Kind {
    FIELD,
    END
  }

  private final Kind kind;
  private final String text;

  public Token(Kind kind, String text) {
    this.kind = kind;
    this.text = text;
  }

  public Kind kind() {
    return kind;
  }

  public String text() {
    return text;
  }

  public boolean isEmpty() {
    return text.isEmpty();
  }
}
