package io.palus.agent;

import java.nio.charset.StandardCharsets;

/**
 * Texts that are given as arrays of their letters: of characters, of bytes, or of numbers of any
 * other type, also boxed. Does not know which texts are secrets.
 */
final class SecretLetters {
  private static final char NO_LETTER = '\ufffd';
  private static final int FEWEST = 4;

  private SecretLetters() {}

  /**
   * The text that the array begins with.
   *
   * @param seen so many elements are looked at
   * @return null where too few of them are letters
   */
  static String of(Object array, int seen) {
    if (array instanceof char[]) {
      return new String((char[]) array, 0, seen);
    }
    if (array instanceof byte[]) {
      return new String((byte[]) array, 0, seen, StandardCharsets.UTF_8);
    }
    if (array instanceof Byte[]) {
      byte[] bytes = new byte[seen];
      for (int i = 0; i < seen; i++) {
        Byte each = ((Byte[]) array)[i];
        bytes[i] = each == null ? 0 : each;
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
    StringBuilder text = new StringBuilder();
    int letters = 0;
    for (int i = 0; i < seen; i++) {
      double number = number(array, i);
      boolean isLetter =
          number >= 0 && number <= Character.MAX_CODE_POINT && number == (int) number;
      text.appendCodePoint(isLetter ? (int) number : NO_LETTER);
      letters += isLetter ? 1 : 0;
    }
    return letters < FEWEST ? null : text.toString();
  }

  /** An element as a number; below 0 for what is none. */
  private static double number(Object array, int i) {
    if (array instanceof Object[]) {
      return box(((Object[]) array)[i]);
    }
    if (array instanceof int[]) {
      return ((int[]) array)[i];
    }
    if (array instanceof long[]) {
      return ((long[]) array)[i];
    }
    if (array instanceof double[]) {
      return ((double[]) array)[i];
    }
    if (array instanceof float[]) {
      return ((float[]) array)[i];
    }
    return array instanceof short[] ? ((short[]) array)[i] : -1;
  }

  private static double box(Object element) {
    if (element instanceof Character) {
      return (Character) element;
    }
    // Other numbers are of classes of the program, whose code is not to run.
    boolean isBox =
        element instanceof Integer
            || element instanceof Byte
            || element instanceof Short
            || element instanceof Long
            || element instanceof Float
            || element instanceof Double;
    return isBox ? ((Number) element).doubleValue() : -1;
  }
}
