package io.palus.agent;

import java.util.Arrays;

/**
 * The abstract profile of an object: one code per field, as {@code palus_sequence::AbstractValue}
 * numbers them. Public only because generated methods of subject classes fill it.
 */
public final class Profile {
  static final int NULL = 0;
  static final int NON_NULL = 1;
  static final int NEGATIVE = 2;
  static final int ZERO = 3;
  static final int POSITIVE = 4;
  static final int NAN = 5;
  static final int EMPTY = 6;
  static final int CONTAINS_NULL = 7;
  static final int OTHER = 8;
  static final int FALSE = 9;
  static final int TRUE = 10;
  static final int FIRST_ENUM = 16;

  char[] codes = new char[32];
  int length;

  Profile() {}

  private void add(int code) {
    if (length == codes.length) {
      codes = Arrays.copyOf(codes, length * 2);
    }
    codes[length++] = (char) code;
  }

  /**
   * A boolean field.
   *
   * @param value its value
   */
  public void field(boolean value) {
    add(value ? TRUE : FALSE);
  }

  /**
   * A field of an integral type.
   *
   * @param value its value
   */
  public void field(long value) {
    add(value < 0 ? NEGATIVE : value == 0 ? ZERO : POSITIVE);
  }

  /**
   * A float or double field.
   *
   * @param value its value
   */
  public void field(double value) {
    add(value < 0 ? NEGATIVE : value > 0 ? POSITIVE : value == 0 ? ZERO : NAN);
  }

  /**
   * A field whose type is a class or interface.
   *
   * @param value its value
   */
  public void field(Object value) {
    if (value instanceof Enum) {
      add(FIRST_ENUM + ((Enum<?>) value).ordinal());
    } else {
      add(value == null ? NULL : NON_NULL);
    }
  }

  /**
   * A field whose type is an array.
   *
   * @param value its value
   */
  public void array(Object value) {
    add(codeOfArray(value));
  }

  static int codeOfArray(Object value) {
    if (value == null) {
      return NULL;
    }
    if (java.lang.reflect.Array.getLength(value) == 0) {
      return EMPTY;
    }
    if (value instanceof Object[]) {
      for (Object element : (Object[]) value) {
        if (element == null) {
          return CONTAINS_NULL;
        }
      }
    }
    return OTHER;
  }
}
