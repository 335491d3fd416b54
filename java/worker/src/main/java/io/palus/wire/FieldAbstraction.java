package io.palus.wire;

import java.lang.reflect.Array;

/**
 * The code of one field in an object's profile, as {@code palus_sequence::AbstractValue} numbers
 * them. The agent and the worker must agree: profiles of traced and of generated objects are
 * compared. Never calls code of the object looked at.
 *
 * <p>A profile has the fields that are neither static nor synthetic, in declaration order, of the
 * unbroken chain of subject superclasses from the top down. The declared type of the field decides
 * which of these methods applies.
 */
public final class FieldAbstraction {
  private static final int NULL = 0;
  private static final int NON_NULL = 1;
  private static final int NEGATIVE = 2;
  private static final int ZERO = 3;
  private static final int POSITIVE = 4;
  private static final int NAN = 5;
  private static final int EMPTY = 6;
  private static final int CONTAINS_NULL = 7;
  private static final int OTHER = 8;
  private static final int FALSE = 9;
  private static final int TRUE = 10;
  private static final int FIRST_ENUM = 16;

  private FieldAbstraction() {}

  /**
   * A boolean field.
   *
   * @param value its value
   * @return its code
   */
  public static int of(boolean value) {
    return value ? TRUE : FALSE;
  }

  /**
   * A field of an integral type.
   *
   * @param value its value
   * @return its code
   */
  public static int of(long value) {
    return value < 0 ? NEGATIVE : value == 0 ? ZERO : POSITIVE;
  }

  /**
   * A float or double field.
   *
   * @param value its value
   * @return its code
   */
  public static int of(double value) {
    return value < 0 ? NEGATIVE : value > 0 ? POSITIVE : value == 0 ? ZERO : NAN;
  }

  /**
   * A field whose type is a class or interface.
   *
   * @param value its value
   * @return its code
   */
  public static int ofReference(Object value) {
    if (value instanceof Enum) {
      return FIRST_ENUM + ((Enum<?>) value).ordinal();
    }
    return value == null ? NULL : NON_NULL;
  }

  /**
   * A field whose type is an array, or an array itself.
   *
   * @param value its value
   * @return its code
   */
  public static int ofArray(Object value) {
    if (value == null) {
      return NULL;
    }
    if (Array.getLength(value) == 0) {
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
