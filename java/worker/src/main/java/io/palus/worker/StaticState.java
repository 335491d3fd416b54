package io.palus.worker;

import io.palus.worker.instrument.StaticTable;
import io.palus.worker.runtime.Statics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * What sequences changed in static fields of the subject, and in objects these lead to, is put back
 * after each, so that every sequence starts from the same state. The state is that which class
 * initialisers leave.
 *
 * <p>Not put back: what libraries and the JDK keep in static fields of their own or per thread, and
 * the contents of what is larger than a snapshot may be.
 */
final class StaticState implements Statics.Keeper {
  private static final int[] UNKNOWN = null;

  private final StaticTable table;
  private final AllocationMeter meter;

  /** Null on a JVM that gives no access; then nothing is put back. */
  private final ObjectShapes shapes;

  private SubjectLoader loader;
  private StaticSnapshot[] snapshots = new StaticSnapshot[64];

  /** For a class that an instruction may name: itself and those it may have the field from. */
  private int[][] families = new int[64][];

  StaticState(StaticTable table, AllocationMeter meter) {
    this.table = table;
    this.meter = meter;
    Memory memory = Memory.open();
    shapes = memory == null ? null : new ObjectShapes(memory);
  }

  /** From now on a fresh loader's classes count. */
  synchronized void renew(SubjectLoader newLoader) {
    loader = newLoader;
    Arrays.fill(snapshots, null);
    Arrays.fill(families, UNKNOWN);
    Statics.renew(shapes == null ? null : this);
  }

  /** The sequence itself, and none of the subject's code, uses static state of a class. */
  void touch(String owner) {
    if (!owner.startsWith("java/")) {
      Statics.touch(table.number(owner));
    }
  }

  @Override
  public synchronized void remember(int type, int from, int bySequence) {
    long before = meter.allocated();
    // The sequence may have changed objects that the new classes lead to, too.
    BitSet changed = new BitSet();
    for (int i = 0; i < bySequence; i++) {
      for (int each : family(Statics.touched(i))) {
        changed.set(each, snapshot(each) != null);
      }
    }
    Deque<StaticSnapshot> swapped = new ArrayDeque<>();
    for (int each : changed.stream().toArray()) {
      snapshots[each].swap();
      swapped.push(snapshots[each]);
    }
    take(type);
    for (int i = from; i < Statics.touchedCount(); i++) {
      for (int each : family(Statics.touched(i))) {
        take(each);
      }
    }
    swapped.forEach(StaticSnapshot::swap); // the last first
    meter.leaveOut(before);
  }

  private void take(int type) {
    family(type); // makes room
    if (table.start(type) != StaticTable.Start.UNKNOWN) {
      snapshots[type] = take(type, false);
    }
  }

  /** Puts back what was touched since the last time. */
  synchronized void restore() {
    for (int i = 0; i < Statics.touchedCount() && shapes != null; i++) {
      int type = Statics.touched(i);
      boolean isConstant = true;
      for (int each : family(type)) {
        isConstant &= restore(each);
      }
      if (isConstant) {
        Statics.isConstant(type);
      }
    }
    Statics.reset();
  }

  /** True if there will never be anything to put back. */
  private boolean restore(int type) {
    if (table.start(type) == StaticTable.Start.UNKNOWN) {
      return true;
    }
    StaticSnapshot snapshot = snapshot(type);
    if (snapshot == null) {
      return false;
    }
    snapshot.restore();
    return snapshot.isConstant();
  }

  /** Null as long as the class is not initialised. */
  private StaticSnapshot snapshot(int type) {
    if (snapshots[type] == null && table.start(type) == StaticTable.Start.ZERO) {
      snapshots[type] = take(type, true);
    }
    return snapshots[type];
  }

  private StaticSnapshot take(int number, boolean isZero) {
    try {
      Class<?> type = find(number);
      return isZero ? StaticSnapshot.ofZeros(type, shapes) : StaticSnapshot.of(type, shapes);
    } catch (ClassNotFoundException | LinkageError | RuntimeException | OutOfMemoryError e) {
      return StaticSnapshot.EMPTY; // a record, a class that is missing, no room: left as it is
    }
  }

  private int[] family(int type) {
    if (type >= families.length || snapshots.length != families.length) {
      int size = Math.max(type + 1, families.length * 2);
      families = Arrays.copyOf(families, size);
      snapshots = Arrays.copyOf(snapshots, size);
    }
    if (families[type] == UNKNOWN) {
      List<Integer> family = new ArrayList<>();
      try {
        collect(find(type), family);
      } catch (ClassNotFoundException | LinkageError e) {
        family.clear(); // then it has no state either
      }
      int[] numbers = family.stream().mapToInt(Integer::intValue).toArray();
      for (int each : numbers) {
        if (each >= snapshots.length) {
          families = Arrays.copyOf(families, each * 2);
          snapshots = Arrays.copyOf(snapshots, each * 2);
        }
      }
      families[type] = numbers;
    }
    return families[type];
  }

  private void collect(Class<?> type, List<Integer> family) {
    if (type == null || type.getClassLoader() != loader) {
      return;
    }
    int number = table.number(type.getName().replace('.', '/'));
    if (!family.contains(number)) {
      family.add(number);
      collect(type.getSuperclass(), family);
      for (Class<?> each : type.getInterfaces()) {
        collect(each, family);
      }
    }
  }

  private Class<?> find(int number) throws ClassNotFoundException {
    return Class.forName(table.name(number).replace('/', '.'), false, loader);
  }
}
