package io.palus.worker;

import io.palus.worker.runtime.Mutants;
import io.palus.worker.runtime.Probes;
import java.util.Arrays;

/**
 * Which probes sequences have touched that a test may show. What was touched only by sequences that
 * end otherwise the second time is new until that has happened some times.
 */
final class SeenProbes {
  /** One more than times that another way to a probe is waited for; the engine counts alike. */
  private static final byte SEEN = 4;

  /** By place in the table of probes. */
  private byte[] times = new byte[1 << 12];

  void clear() {
    Arrays.fill(times, (byte) 0);
  }

  /** True if one of the first so many touched probes is new; what mutants touch is no news. */
  boolean isNew(int count) {
    if (Mutants.isAnyOn()) {
      return false;
    }
    int[] touched = Probes.touched();
    if (times.length < touched.length) {
      times = Arrays.copyOf(times, touched.length);
    }
    for (int i = 0; i < count; i++) {
      if (times[touched[i]] < SEEN) {
        return true;
      }
    }
    return false;
  }

  /** So many touched probes were touched by what ends so again, or does not. */
  void add(int count, boolean repeats) {
    int[] touched = Probes.touched();
    for (int i = 0; i < count; i++) {
      int place = touched[i];
      times[place] = repeats ? SEEN : (byte) Math.min(times[place] + 1, SEEN);
    }
  }
}
