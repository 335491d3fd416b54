package io.palus.worker.runtime;

import java.util.Arrays;

/**
 * What jumps and switches of instrumented code call: the probe of the outcome, and where something
 * is watched, how far the other outcomes were.
 */
public final class Jumps {
  /** Beside an opcode: the flag or comparison that stands ready tells what is jumped on. */
  public static final int USES = 0x100;

  /** Beside an opcode: the jump may decide a boolean value. */
  public static final int DEFINES = 0x200;

  /** Beside an opcode: what is jumped on is a boolean. */
  public static final int IS_FLAG = 0x400;

  private static final int OPCODE = 0xff;
  private static final int IFEQ = 153;
  private static final int IF_ICMPEQ = 159;

  private static int[][] switchKeys = new int[16][];
  private static String[][] switchTexts = new String[16][];
  private static int switchCount;

  private Jumps() {}

  /**
   * A jump on an int compared with zero.
   *
   * @param value the int
   * @param how 153 (ifeq) to 158 (ifle), and bits
   * @param probe the probe for not taken; the next one is for taken
   */
  public static void jump(int value, int how, int probe) {
    jump(value, 0, how + IF_ICMPEQ - IFEQ, probe);
  }

  /**
   * A jump on two ints.
   *
   * @param left the first int
   * @param right the second
   * @param how 159 (if_icmpeq) to 164 (if_icmple), and bits
   * @param probe the probe for not taken; the next one is for taken
   */
  public static void jump(int left, int right, int how, int probe) {
    boolean taken;
    switch (how & OPCODE) {
      case 159:
        taken = left == right;
        break;
      case 160:
        taken = left != right;
        break;
      case 161:
        taken = left < right;
        break;
      case 162:
        taken = left >= right;
        break;
      case 163:
        taken = left > right;
        break;
      default:
        taken = left <= right;
        break;
    }
    Probes.hit(taken ? probe + 1 : probe);
    if (Distances.isOn) {
      boolean isEquality = (how & OPCODE) <= IF_ICMPEQ + 1;
      other(left, right, isEquality, how, taken ? probe : probe + 1);
    }
  }

  private static void other(int left, int right, boolean isEquality, int how, int place) {
    int number = Distances.wanted(place);
    if ((how & USES) != 0 && Flags.isReady()) {
      Flags.jump(left, right, isEquality, number, (how & DEFINES) != 0);
      return;
    }
    boolean isFlag = (how & IS_FLAG) != 0;
    if (number >= 0) {
      Distances.note(number, distance(left, right, isEquality));
      if (!isFlag) {
        Operands.add(number, Comparison.INTS, left, right);
      }
    }
    if ((how & DEFINES) != 0) {
      if (isFlag) {
        Flags.definePlain();
      } else {
        Flags.define(Comparison.INTS, left, right, distance(left, right, isEquality));
      }
    }
  }

  /**
   * From two operands to the outcome they did not give.
   *
   * @param isEquality whether they were asked to be equal or not, rather than for their order
   */
  static double distance(double left, double right, boolean isEquality) {
    double apart = Math.abs(left - right);
    if (Double.isNaN(apart)) {
      return left == right ? 1 : Double.MAX_VALUE; // NaN, or the same infinity
    }
    double distance = isEquality ? apart == 0 ? 1 : apart : apart + 1;
    return Math.min(distance, Double.MAX_VALUE);
  }

  /** As for doubles, where these would make two longs the same. */
  static double distance(long left, long right, boolean isEquality) {
    long apart = left - right;
    boolean overflows = ((left ^ right) & (left ^ apart)) < 0;
    return overflows
        ? distance((double) left, (double) right, isEquality)
        : distance((double) apart, 0, isEquality);
  }

  /**
   * A jump if a reference is null (opcode 198) or not (199).
   *
   * @param value the reference
   * @param how which of the two, and bits
   * @param probe the probe for not taken; the next one is for taken
   */
  public static void jump(Object value, int how, int probe) {
    boolean taken = (value == null) == ((how & OPCODE) == 198);
    Probes.hit(taken ? probe + 1 : probe);
    if (Distances.isOn) {
      int number = plain(how, taken ? probe : probe + 1);
      if (number >= 0 && value == null) {
        Flags.isNull(number);
      }
    }
  }

  /**
   * A jump if two references are the same (opcode 165) or not (166).
   *
   * @param left the first reference
   * @param right the second
   * @param how which of the two, and bits
   * @param probe the probe for not taken; the next one is for taken
   */
  public static void jump(Object left, Object right, int how, int probe) {
    boolean taken = (left == right) == ((how & OPCODE) == 165);
    Probes.hit(taken ? probe + 1 : probe);
    if (Distances.isOn) {
      int number = plain(how, taken ? probe : probe + 1);
      if (number >= 0 && left != right) {
        Operands.addEqual(number, left, right);
      }
    }
  }

  private static int plain(int how, int place) {
    int number = Distances.wanted(place);
    if (number >= 0) {
      Distances.note(number, 1);
    }
    if ((how & DEFINES) != 0) {
      Flags.definePlain();
    }
    return number;
  }

  /**
   * A {@code tableswitch}.
   *
   * @param key the value switched on
   * @param lowest key of the first case
   * @param highest key of the last case
   * @param probe the probe of the first case; the default's stands after the last one's
   */
  public static void table(int key, int lowest, int highest, int probe) {
    int cases = highest - lowest + 1;
    int found = key < lowest || key > highest ? cases : key - lowest;
    if (Distances.isOn && (found == cases || !Probes.isHit(probe + found))) {
      for (int i = 0; i < cases; i++) {
        far(key, lowest + i, i != found, probe + i);
      }
      byDefault(found < cases, probe + cases);
    }
    Probes.hit(probe + found);
  }

  /**
   * A {@code lookupswitch}.
   *
   * @param key the value switched on
   * @param table number of its keys' table
   * @param probe the probe of the first case; the default's stands after the last one's
   */
  public static void lookup(int key, int table, int probe) {
    int[] keys = switchKeys[table];
    int found = Arrays.binarySearch(keys, key);
    int cases = keys.length;
    if (Distances.isOn && (found < 0 || !Probes.isHit(probe + found))) {
      String[] texts = switchTexts[table];
      String text = texts == null ? null : Flags.switchedText(key);
      for (int i = 0; i < cases; i++) {
        if (text != null && texts[i] != null) {
          far(text, texts[i], i != found, probe + i);
        } else {
          far(key, keys[i], i != found, probe + i);
        }
      }
      byDefault(found >= 0, probe + cases);
    }
    Probes.hit(probe + (found < 0 ? cases : found));
  }

  private static void far(int key, int of, boolean isOther, int place) {
    int number = Distances.wanted(place);
    if (isOther && number >= 0) {
      Distances.note(number, Math.abs((double) key - of));
      Operands.add(number, Comparison.INTS, key, of);
    }
  }

  private static void far(String text, String of, boolean isOther, int place) {
    int number = Distances.wanted(place);
    if (isOther && number >= 0) {
      Distances.note(number, TextDistance.equal(text, of));
      Operands.add(number, Operands.EQUAL, text, of);
    }
  }

  private static void byDefault(boolean isOther, int place) {
    int number = Distances.wanted(place);
    if (isOther && number >= 0) {
      Distances.note(number, 1);
    }
  }

  /**
   * Keeps the keys of a {@code lookupswitch}.
   *
   * @param keys ascending
   * @param texts of a switch over Strings, whose keys are hash codes: one text per key; else null
   * @return their number
   */
  public static int addSwitch(int[] keys, String[] texts) {
    if (switchCount == switchKeys.length) {
      switchKeys = Arrays.copyOf(switchKeys, switchCount * 2);
      switchTexts = Arrays.copyOf(switchTexts, switchCount * 2);
    }
    switchKeys[switchCount] = keys;
    switchTexts[switchCount] = texts;
    return switchCount++;
  }
}
