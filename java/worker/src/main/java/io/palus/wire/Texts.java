package io.palus.wire;

/** Which Strings may be written into a test. */
public final class Texts {
  /** Longer Strings are no constants. */
  public static final int LONGEST = 1000;

  private Texts() {}

  /**
   * Whether a String can be written as a constant.
   *
   * @param text the String
   * @return false if it is too long or has a lone surrogate
   */
  public static boolean isConstant(String text) {
    int length = text.length();
    if (length > LONGEST) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (!Character.isHighSurrogate(c)
            || i + 1 == length
            || !Character.isLowSurrogate(text.charAt(++i))) {
          return false;
        }
      }
    }
    return true;
  }
}
