package sample;

import java.util.ArrayList;
import java.util.List;

/** The fields of a line. */
public class Row {
  private final List<Token> fields = new ArrayList<>();

  public Row add(Token token) {
    if (!token.isEmpty()) {
      fields.add(token);
    }
    return this;
  }

  public int size() {
    return fields.size();
  }

  public Token get(int i) {
    return fields.get(i);
  }
}
