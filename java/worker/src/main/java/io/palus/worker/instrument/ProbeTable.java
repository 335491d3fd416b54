package io.palus.worker.instrument;

import io.palus.worker.runtime.Distances;
import io.palus.worker.runtime.Probes;
import java.util.Arrays;

/** Which class owns which range of the probes; ranges stay the worker's life long. */
public final class ProbeTable {
  private int[] starts = new int[64];
  private int[] classes = new int[64];
  private long[] watched = new long[0];
  private int count;
  private int total;

  /** Makes an empty table. */
  public ProbeTable() {}

  /** Where the probes of a class begin: where they did the last time, or else the next range. */
  int start(int classNumber) {
    int owner = owner(classNumber);
    return owner < count ? starts[owner] : total;
  }

  private int owner(int classNumber) {
    int owner = 0;
    while (owner < count && classes[owner] != classNumber) {
      owner++;
    }
    return owner;
  }

  /** Gives the next range to a class that has none. */
  void add(int classNumber, int probes) {
    if (probes == 0 || owner(classNumber) < count) {
      return;
    }
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
      classes = Arrays.copyOf(classes, count * 2);
    }
    starts[count] = total;
    classes[count++] = classNumber;
    total += probes;
    Probes.grow(total);
    watch(count - 1);
  }

  /**
   * Says what is watched from now on, instead of what was so far.
   *
   * @param probes class number in the upper half, probe in the lower, ascending
   */
  public void watch(long[] probes) {
    watched = probes;
    Distances.watch(probes.length);
    for (int owner = 0; owner < count && probes.length > 0; owner++) {
      watch(owner);
    }
  }

  /** Tells the places of what is watched in one class. */
  private void watch(int owner) {
    int end = owner + 1 < count ? starts[owner + 1] : total;
    long first = (long) classes[owner] << 32;
    int found = Arrays.binarySearch(watched, first);
    for (int i = found >= 0 ? found : -found - 1; i < watched.length; i++) {
      long probe = watched[i] - first;
      if (probe >= end - starts[owner]) {
        return;
      }
      Distances.place(i, starts[owner] + (int) probe);
    }
  }

  /**
   * Turns places in the table into probes as the wire names them.
   *
   * @param places touched places
   * @param length how many of them count
   * @return class number in the upper half, probe in the lower, ascending
   */
  public long[] name(int[] places, int length) {
    long[] named = new long[length];
    for (int i = 0; i < length; i++) {
      int found = Arrays.binarySearch(starts, 0, count, places[i]);
      int owner = found >= 0 ? found : -found - 2;
      named[i] = (long) classes[owner] << 32 | places[i] - starts[owner];
    }
    Arrays.sort(named);
    return named;
  }
}
