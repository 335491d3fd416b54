package sample;

import java.io.Reader;

/** Reads lines of fields between commas. */
public class Lines {
  public Summary read(Reader text) {
    Tokenizer tokens = new Tokenizer(new Source(text));
    Summary summary = new Summary();
    Row row = new Row();
    for (Token token = tokens.next(); token != null; token = tokens.next()) {
      row.add(token);
      if (token.kind() == Token.Kind.END) {
        summary.count(row);
        row = new Row();
      }
    }
    return summary;
  }
}
