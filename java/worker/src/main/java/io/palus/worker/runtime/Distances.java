package io.palus.worker.runtime;

import java.util.Arrays;

/**
 * How near a sequence came to each watched probe. Watched probes are numbered from 0 in the order
 * of the list; a distance is noted only for what the sequence has not touched so far.
 */
public final class Distances {
  /** Whether a sequence runs and something is watched. */
  static boolean isOn;

  /** By place in the table of probes: number of the watched probe plus one. */
  private static int[] numbers = new int[1 << 12];

  /** By number. */
  private static int[] places = new int[0];

  private static double[] nearest = new double[0];

  /** One bit per number that has a distance. */
  private static long[] noted = new long[0];

  private static int count;

  private Distances() {}

  /** The number of a probe that is watched and not touched yet; negative for others. */
  static int wanted(int place) {
    int number = numbers[place] - 1;
    return number >= 0 && Probes.isHit(place) ? -1 : number;
  }

  /** A distance of a wanted probe; the smallest one counts. */
  static void note(int number, double distance) {
    if (distance < nearest[number]) {
      nearest[number] = distance;
      noted[number >>> 6] |= 1L << number;
    }
  }

  static void grow(int size) {
    numbers = Arrays.copyOf(numbers, size);
  }

  // What the worker calls.

  /**
   * Forgets what was watched and makes room for a new list.
   *
   * @param total number of probes in it
   */
  public static void watch(int total) {
    for (int i = 0; i < count; i++) {
      if (places[i] >= 0) {
        numbers[places[i]] = 0;
      }
    }
    isOn = false;
    count = total;
    places = new int[total];
    Arrays.fill(places, -1);
    nearest = new double[total];
    Arrays.fill(nearest, Double.POSITIVE_INFINITY);
    noted = new long[(total + 63) / 64];
    Operands.watch(total);
    Flags.clear();
  }

  /**
   * Says where a watched probe is, once its class is loaded.
   *
   * @param number its number
   * @param place its place in the table of probes
   */
  public static void place(int number, int place) {
    numbers[place] = number + 1;
    places[number] = place;
  }

  /**
   * Whether anything is watched.
   *
   * @return true if so
   */
  public static boolean isWatching() {
    return count > 0;
  }

  /** Starts a sequence: nothing noted. */
  public static void reset() {
    if (count > 0) {
      for (int word = 0; word < noted.length; word++) {
        for (long bits = noted[word]; bits != 0; bits &= bits - 1) {
          nearest[(word << 6) + Long.numberOfTrailingZeros(bits)] = Double.POSITIVE_INFINITY;
        }
        noted[word] = 0;
      }
      Operands.reset();
      Flags.clear();
      isOn = true;
    }
  }

  /** Ends a sequence: what was touched is at distance 0, and nothing more is noted. */
  public static void end() {
    if (count > 0) {
      isOn = false;
      Flags.clear();
      int[] touched = Probes.touched();
      for (int i = Probes.touchedCount() - 1; i >= 0; i--) {
        int number = numbers[touched[i]] - 1;
        if (number >= 0) {
          nearest[number] = 0;
          noted[number >>> 6] |= 1L << number;
        }
      }
    }
  }

  /**
   * How many watched probes have a distance.
   *
   * @return their number
   */
  public static int notedCount() {
    int sum = 0;
    for (long bits : noted) {
      sum += Long.bitCount(bits);
    }
    return sum;
  }

  /**
   * The next watched probe that has a distance.
   *
   * @param from the first number looked at
   * @return its number, negative for none
   */
  public static int next(int from) {
    int word = from >>> 6;
    if (word >= noted.length) {
      return -1;
    }
    long bits = noted[word] & -1L << from;
    while (bits == 0) {
      if (++word == noted.length) {
        return -1;
      }
      bits = noted[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /**
   * The distance of a watched probe.
   *
   * @param number its number
   * @return 0 if it was touched, infinite if it has none
   */
  public static double of(int number) {
    return nearest[number];
  }
}
