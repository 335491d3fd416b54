package io.palus.worker;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The static state of one class at some time: its fields that are not final, and all objects that
 * its fields lead to. It is put back in place, so that every object stays the one it is and no code
 * of the subject runs.
 */
final class StaticSnapshot {
  /** More is not looked at: it would take longer than most sequences, each time. */
  private static final int MOST_OBJECTS = 1 << 12;

  private static final int MOST_VALUES = 1 << 13;

  /** As many elements of a primitive array take as long to put back as one other value. */
  private static final int ELEMENTS_A_VALUE = 16;

  /** Nothing to put back. */
  static final StaticSnapshot EMPTY = new StaticSnapshot(null);

  private final Memory memory;
  private final List<Object> bases = new ArrayList<>();
  private final List<ObjectShape.Place> places = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();
  private final List<Object> arrays = new ArrayList<>();
  private final List<Object> copies = new ArrayList<>();
  private int size;

  private StaticSnapshot(Memory memory) {
    this.memory = memory;
  }

  /** All fields that are not final are zero or null, and no other leads to an object. */
  static StaticSnapshot ofZeros(Class<?> type, ObjectShapes shapes) {
    Memory memory = shapes.memory();
    StaticSnapshot snapshot = new StaticSnapshot(memory);
    for (Field field : type.getDeclaredFields()) {
      if (isOurs(field) && !Modifier.isFinal(field.getModifiers())) {
        ObjectShape.Place place = placeOf(field, memory);
        Object zero = place.size == 0 ? null : (Object) 0L;
        snapshot.add(memory.staticFieldBase(field), place, zero);
      }
    }
    return snapshot;
  }

  /** The state as it is; of one that is too large, the fields alone. */
  static StaticSnapshot of(Class<?> type, ObjectShapes shapes) {
    Memory memory = shapes.memory();
    StaticSnapshot snapshot = new StaticSnapshot(memory);
    Deque<Object> open = new ArrayDeque<>();
    for (Field field : type.getDeclaredFields()) {
      if (!isOurs(field)) {
        continue;
      }
      Object base = memory.staticFieldBase(field);
      ObjectShape.Place place = placeOf(field, memory);
      Object value = place.read(base, memory);
      if (!Modifier.isFinal(field.getModifiers())) {
        snapshot.add(base, place, value);
      }
      if (place.size == 0) {
        follow(value, open);
      }
    }
    int fields = snapshot.bases.size();
    if (!snapshot.follow(open, shapes)) {
      snapshot.keepFirst(fields);
    }
    return snapshot;
  }

  private static ObjectShape.Place placeOf(Field field, Memory memory) {
    int size = ObjectShape.sizeOf(field.getType());
    return new ObjectShape.Place(memory.staticFieldOffset(field), size);
  }

  /** What a compiler or another tool added has nothing to do with the subject's state. */
  private static boolean isOurs(Field field) {
    return Modifier.isStatic(field.getModifiers()) && !field.isSynthetic();
  }

  /** False if there is too much. */
  private boolean follow(Deque<Object> open, ObjectShapes shapes) {
    SeenObjects seen = new SeenObjects(shapes);
    while (!open.isEmpty()) {
      Object object = open.poll();
      if (object.getClass().isArray()) {
        if (seen.isNew(object) && !addArray(object, open)) {
          return false;
        }
        continue;
      }
      ObjectShape shape = shapes.of(object.getClass());
      if (shape.isLeaf() || !seen.isNew(object)) {
        continue;
      }
      for (long link : shape.links) {
        follow(memory.getObject(object, link), open);
      }
      for (ObjectShape.Place place : shape.places) {
        Object value = place.read(object, memory);
        add(object, place, value);
        if (place.size == 0) {
          follow(value, open);
        }
      }
      if (seen.count() > MOST_OBJECTS || size > MOST_VALUES) {
        return false;
      }
    }
    return true;
  }

  private static void follow(Object object, Deque<Object> open) {
    if (object != null && !(object instanceof String)) {
      open.add(object);
    }
  }

  private boolean addArray(Object array, Deque<Object> open) {
    int length = Array.getLength(array);
    boolean isPrimitive = array.getClass().getComponentType().isPrimitive();
    size += isPrimitive ? 1 + length / ELEMENTS_A_VALUE : length;
    if (size > MOST_VALUES) {
      return false;
    }
    Object copy = Array.newInstance(array.getClass().getComponentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    if (length > 0) {
      arrays.add(array);
      copies.add(copy);
    }
    if (!isPrimitive) {
      for (Object element : (Object[]) array) {
        follow(element, open);
      }
    }
    return true;
  }

  private void add(Object base, ObjectShape.Place place, Object value) {
    bases.add(base);
    places.add(place);
    values.add(value);
    size++;
  }

  private void keepFirst(int count) {
    bases.subList(count, bases.size()).clear();
    places.subList(count, places.size()).clear();
    values.subList(count, values.size()).clear();
    arrays.clear();
    copies.clear();
  }

  /** True if no code can change anything in it. */
  boolean isConstant() {
    return bases.isEmpty() && arrays.isEmpty();
  }

  /** Puts everything back; what was there becomes the snapshot. */
  void swap() {
    for (int i = 0; i < bases.size(); i++) {
      Object now = places.get(i).read(bases.get(i), memory);
      places.get(i).write(bases.get(i), memory, values.get(i));
      values.set(i, now);
    }
    for (int i = 0; i < arrays.size(); i++) {
      Object array = arrays.get(i);
      Object copy = copies.get(i);
      int length = Array.getLength(copy);
      Object now = Array.newInstance(copy.getClass().getComponentType(), length);
      System.arraycopy(array, 0, now, 0, length);
      System.arraycopy(copy, 0, array, 0, length);
      copies.set(i, now);
    }
  }

  /** Puts everything back. */
  void restore() {
    for (int i = 0; i < bases.size(); i++) {
      places.get(i).write(bases.get(i), memory, values.get(i));
    }
    for (int i = 0; i < arrays.size(); i++) {
      Object copy = copies.get(i);
      System.arraycopy(copy, 0, arrays.get(i), 0, Array.getLength(copy));
    }
  }
}
