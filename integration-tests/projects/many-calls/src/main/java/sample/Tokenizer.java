package sample;

/** Takes lines apart. */
public class Tokenizer {
  private final Source source;
  private final StringBuilder buffer = new StringBuilder();

  public Tokenizer(Source source) {
    this.source = source;
  }

  /** The next field; null at the end. */
  public Token next() {
    if (!source.hasNext()) {
      return null;
    }
    buffer.setLength(0);
    while (source.hasNext() && !Chars.isEnd(source.peek())) {
      char c = source.next();
      if (!Chars.isSpace(c)) {
        buffer.append(c);
      }
    }
    char end = source.hasNext() ? source.next() : '\n';
    return new Token(end == ',' ? Token.Kind.FIELD : Token.Kind.END, buffer.toString());
  }
}
