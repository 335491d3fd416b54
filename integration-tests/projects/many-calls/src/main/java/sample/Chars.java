package sample;

/** Kinds of characters. */
public final class Chars {
  private Chars() {}

  public static boolean isEnd(char c) {
    return c == ',' || c == '\n';
  }

  public static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }
}
