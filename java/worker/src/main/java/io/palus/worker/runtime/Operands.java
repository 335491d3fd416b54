package io.palus.worker.runtime;

import io.palus.wire.Texts;
import java.lang.reflect.Proxy;
import java.util.Arrays;

/**
 * The operands that decided jumps of which a watched outcome was not reached: the first few
 * different pairs per watched probe and sequence. Only what a test can write down is kept: numbers,
 * short Strings, enum constants, classes.
 */
public final class Operands {
  /** Relations, numbered as on the wire. */
  static final int ORDER = 0;

  static final int EQUAL = 1;
  private static final int EQUAL_IGNORING_CASE = 2;
  private static final int PREFIX = 3;
  private static final int SUFFIX = 4;
  private static final int PART = 5;
  private static final int PATTERN = 6;

  private static final int PAIRS_PER_PROBE = 4;
  private static final int LONGEST_TEXT = 200;

  private static int[] numbers = new int[64];
  private static int[] kinds = new int[64];
  private static int[] relations = new int[64];
  private static long[] lefts = new long[64];
  private static long[] rights = new long[64];
  private static Object[] firsts = new Object[64];
  private static Object[] seconds = new Object[64];

  /** The pair of the same probe that came before, or negative. */
  private static int[] earlier = new int[64];

  private static int count;

  /** By number of the watched probe: its last pair or negative, and how many it has. */
  private static int[] last = new int[0];

  private static byte[] counts = new byte[0];

  private Operands() {}

  static void watch(int total) {
    reset();
    last = new int[total];
    counts = new byte[total];
  }

  static void reset() {
    for (int i = 0; i < count; i++) {
      counts[numbers[i]] = 0;
      firsts[i] = null;
      seconds[i] = null;
    }
    count = 0;
  }

  /** A pair of numbers, of a kind of {@link Comparison}. */
  static void add(int number, int kind, long left, long right) {
    int had = counts[number];
    if (had == PAIRS_PER_PROBE) {
      return;
    }
    for (int i = had == 0 ? -1 : last[number]; i >= 0; i = earlier[i]) {
      if (kinds[i] == kind && lefts[i] == left && rights[i] == right) {
        return;
      }
    }
    int place = addPair(number, ORDER);
    kinds[place] = kind;
    lefts[place] = left;
    rights[place] = right;
  }

  /** A pair of Strings, enum constants, boxes or classes; one of them may be null. */
  static void add(int number, int relation, Object left, Object right) {
    if (counts[number] == PAIRS_PER_PROBE || !isConstant(left) || !isConstant(right)) {
      return;
    }
    for (int i = counts[number] == 0 ? -1 : last[number]; i >= 0; i = earlier[i]) {
      if (relations[i] == relation && same(firsts[i], left) && same(seconds[i], right)) {
        return;
      }
    }
    int place = addPair(number, relation);
    kinds[place] = Comparison.EQUALS;
    firsts[place] = left;
    seconds[place] = right;
  }

  private static int addPair(int number, int relation) {
    if (count == numbers.length) {
      grow(count * 2);
    }
    earlier[count] = counts[number] == 0 ? -1 : last[number];
    last[number] = count;
    counts[number]++;
    numbers[count] = number;
    relations[count] = relation;
    return count++;
  }

  private static void grow(int size) {
    numbers = Arrays.copyOf(numbers, size);
    kinds = Arrays.copyOf(kinds, size);
    relations = Arrays.copyOf(relations, size);
    lefts = Arrays.copyOf(lefts, size);
    rights = Arrays.copyOf(rights, size);
    firsts = Arrays.copyOf(firsts, size);
    seconds = Arrays.copyOf(seconds, size);
    earlier = Arrays.copyOf(earlier, size);
  }

  private static boolean same(Object one, Object other) {
    return one == other || one instanceof String && one.equals(other);
  }

  private static boolean isConstant(Object value) {
    if (value instanceof String) {
      String text = (String) value;
      return text.length() <= LONGEST_TEXT && Texts.isConstant(text);
    }
    return value == null
        || value instanceof Enum
        || value instanceof Class && hasName((Class<?>) value)
        || ValueDistance.isBox(value);
  }

  /** Not for lambdas and proxies, whose names differ from run to run. */
  private static boolean hasName(Class<?> type) {
    return !type.isSynthetic() && !Proxy.isProxyClass(type);
  }

  /** Two objects that might have been equal. */
  static void addEqual(int number, Object left, Object right) {
    if (left == null && right == null) {
      return;
    }
    Object one = left == null ? right : left;
    boolean isAlike = left == null || right == null || left.getClass() == right.getClass();
    if (one instanceof String) {
      if (isAlike) {
        add(number, EQUAL, left, right);
      }
    } else if (one instanceof Enum || one instanceof Class || isAlike && ValueDistance.isBox(one)) {
      add(number, ORDER, left, right);
    }
  }

  /** What a boolean was made from. */
  static void add(int number, Comparison made) {
    Object first = made.first;
    Object second = made.second;
    switch (made.kind) {
      case Comparison.INTS:
      case Comparison.LONGS:
      case Comparison.FLOATS:
      case Comparison.DOUBLES:
        add(number, made.kind, made.left, made.right);
        break;
      case Comparison.EQUALS:
        addEqual(number, first, second);
        break;
      case Comparison.TEXT_ORDER:
        texts(number, EQUAL, first, second);
        break;
      case Comparison.EQUALS_IGNORING_CASE:
        texts(number, EQUAL_IGNORING_CASE, first, second);
        break;
      case Comparison.STARTS_WITH:
        texts(number, PREFIX, first, second);
        break;
      case Comparison.ENDS_WITH:
        texts(number, SUFFIX, first, second);
        break;
      case Comparison.TEXT_CONTAINS:
      case Comparison.INDEX_OF:
        texts(number, PART, first, second);
        break;
      case Comparison.MATCHES:
        texts(number, PATTERN, first, second);
        break;
      case Comparison.IS_EMPTY:
        texts(number, EQUAL, first, first instanceof String ? "" : null);
        break;
      case Comparison.CONTAINS:
      case Comparison.CONTAINS_KEY:
      case Comparison.CONTAINS_VALUE:
        addEach(number, second, ValueDistance.elements(first, made.kind));
        break;
      case Comparison.ARRAYS_EQUAL:
        Object[] pair = ValueDistance.firstDifference(first, second);
        if (pair != null) {
          addEqual(number, pair[0], pair[1]);
        }
        break;
      default:
        break;
    }
  }

  /** A key and those of the map that does not have it. */
  static void addMissing(int number, Object map, Object key) {
    Object[] keys = ValueDistance.elements(map, Comparison.CONTAINS_KEY);
    for (Object known : keys) {
      if (ValueDistance.isSame(known, key)) {
        return;
      }
    }
    addEach(number, key, keys);
  }

  private static void addEach(int number, Object one, Object[] others) {
    for (int i = 0; i < others.length && i < PAIRS_PER_PROBE; i++) {
      addEqual(number, one, others[i]);
    }
  }

  private static void texts(int number, int relation, Object first, Object second) {
    String left = TextDistance.text(first);
    String right = TextDistance.text(second);
    if (left != null && right != null) {
      add(number, relation, left, right);
    }
  }

  // What the worker calls.

  /**
   * How many pairs there are.
   *
   * @return their number
   */
  public static int count() {
    return count;
  }

  /**
   * The watched probe of a pair.
   *
   * @param pair which
   * @return its number
   */
  public static int number(int pair) {
    return numbers[pair];
  }

  /**
   * How a pair was compared.
   *
   * @param pair which
   * @return as on the wire
   */
  public static int relation(int pair) {
    return relations[pair];
  }

  /**
   * The first operand of a pair.
   *
   * @param pair which
   * @return it, numbers as boxes
   */
  public static Object left(int pair) {
    return operand(pair, lefts[pair], firsts[pair]);
  }

  /**
   * The second operand of a pair.
   *
   * @param pair which
   * @return it, numbers as boxes
   */
  public static Object right(int pair) {
    return operand(pair, rights[pair], seconds[pair]);
  }

  private static Object operand(int pair, long bits, Object object) {
    switch (kinds[pair]) {
      case Comparison.INTS:
        return (int) bits;
      case Comparison.LONGS:
        return bits;
      case Comparison.FLOATS:
        return Float.intBitsToFloat((int) bits);
      case Comparison.DOUBLES:
        return Double.longBitsToDouble(bits);
      default:
        return object;
    }
  }
}
