package io.palus.worker.runtime;

/** Two operands and how they were compared; one object holds one after the other. */
public final class Comparison {
  /** Nothing is known of what decided it. */
  public static final int PLAIN = 0;

  static final int INTS = 1;
  static final int LONGS = 2;
  static final int FLOATS = 3;
  static final int DOUBLES = 4;

  /** {@code equals} of any object. */
  public static final int EQUALS = 5;

  /** {@code equalsIgnoreCase} of Strings. */
  public static final int EQUALS_IGNORING_CASE = 6;

  /** {@code startsWith} of Strings. */
  public static final int STARTS_WITH = 7;

  /** {@code endsWith} of Strings. */
  public static final int ENDS_WITH = 8;

  /** {@code contains} of Strings. */
  public static final int TEXT_CONTAINS = 9;

  /** {@code matches} of Strings and patterns. */
  public static final int MATCHES = 10;

  /** {@code compareTo} of Strings, an int. */
  public static final int TEXT_ORDER = 11;

  /** {@code indexOf} of Strings, an int. */
  public static final int INDEX_OF = 12;

  /** {@code isEmpty} of Strings and collections. */
  public static final int IS_EMPTY = 13;

  /** {@code contains} of collections. */
  public static final int CONTAINS = 14;

  /** {@code containsKey} of maps. */
  public static final int CONTAINS_KEY = 15;

  /** {@code containsValue} of maps. */
  public static final int CONTAINS_VALUE = 16;

  /** {@code Arrays.equals}. */
  public static final int ARRAYS_EQUAL = 17;

  /** {@code hashCode} of Strings, an int that is switched on. */
  public static final int HASH_CODE = 18;

  /** {@code compareTo} and the like of numbers and dates: becomes that of the numbers. */
  public static final int ORDER = 19;

  int kind;

  /** Ints and longs, bits of others. */
  long left;

  long right;
  Object first;
  Object second;

  /** Of a call: whether it is known what it gave. */
  boolean isDecided;

  /** Distance to the other outcome; NaN where it is still to be computed. */
  private double distance;

  /** What a call gave; an int as such, a boolean as 0 or 1. */
  private int result;

  Comparison() {}

  void set(int newKind, long newLeft, long newRight, double newDistance) {
    kind = newKind;
    left = newLeft;
    right = newRight;
    first = null;
    second = null;
    isDecided = !Double.isNaN(newDistance);
    distance = newDistance;
  }

  void set(int newKind, Object newFirst, Object newSecond) {
    kind = newKind;
    first = newFirst;
    second = newSecond;
    isDecided = false;
    distance = Double.NaN;
  }

  void set(Comparison other) {
    kind = other.kind;
    left = other.left;
    right = other.right;
    first = other.first;
    second = other.second;
    isDecided = other.isDecided;
    distance = other.distance;
    result = other.result;
  }

  /** Lets go of objects whose classes may be unloaded, after their distance is known. */
  void forgetObjects() {
    if (kind >= EQUALS && !(first instanceof String && second instanceof String)) {
      distance();
      kind = PLAIN;
      first = null;
      second = null;
    }
  }

  /** A jump on what was compared tells how it was asked for. */
  void decide(int value, int against, boolean isEquality) {
    if (isDecided) {
      return;
    }
    isDecided = true;
    switch (kind) {
      case LONGS:
        distance = Jumps.distance(left, right, isEquality);
        break;
      case FLOATS:
        float one = Float.intBitsToFloat((int) left);
        distance = Jumps.distance(one, Float.intBitsToFloat((int) right), isEquality);
        break;
      case DOUBLES:
        double wide = Double.longBitsToDouble(left);
        distance = Jumps.distance(wide, Double.longBitsToDouble(right), isEquality);
        break;
      case TEXT_ORDER:
        distance = Jumps.distance(value, (double) against, isEquality);
        break;
      case INDEX_OF:
        result = value;
        distance = value < 0 ? Double.NaN : Jumps.distance(value, (double) against, isEquality);
        break;
      default:
        result = value;
        break;
    }
  }

  /** To the outcome that it did not have. */
  double distance() {
    if (Double.isNaN(distance)) {
      distance = compute();
    }
    return distance;
  }

  private double compute() {
    if (kind == INDEX_OF) {
      return TextDistance.part(TextDistance.text(first), TextDistance.text(second));
    }
    if (result != 0) {
      return 1;
    }
    switch (kind) {
      case EQUALS:
        return ValueDistance.equal(first, second);
      case ARRAYS_EQUAL:
        return ValueDistance.arraysEqual(first, second);
      case EQUALS_IGNORING_CASE:
        return TextDistance.equalIgnoringCase((String) first, (String) second);
      case STARTS_WITH:
        return TextDistance.prefix((String) first, (String) second);
      case ENDS_WITH:
        return TextDistance.suffix((String) first, (String) second);
      case TEXT_CONTAINS:
        return TextDistance.part(TextDistance.text(first), TextDistance.text(second));
      case MATCHES:
        return TextDistance.pattern(TextDistance.text(first), TextDistance.text(second));
      case IS_EMPTY:
        return Math.max(1, ValueDistance.size(first));
      case CONTAINS:
      case CONTAINS_KEY:
      case CONTAINS_VALUE:
        return ValueDistance.contained(ValueDistance.elements(first, kind), second);
      default:
        return 1;
    }
  }
}
