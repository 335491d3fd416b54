package io.palus.worker;

import java.lang.reflect.Array;

/**
 * Objects, by identity. Identity hash codes are all the same in a worker, so that an object's place
 * in the table comes from what is in it, which must not change as long as this is used.
 */
final class SeenObjects {
  /** Elements of an array that its place comes from. */
  private static final int ELEMENTS = 8;

  private final ObjectShapes shapes;
  private Object[] table = new Object[64];
  private int count;

  SeenObjects(ObjectShapes shapes) {
    this.shapes = shapes;
  }

  int count() {
    return count;
  }

  /** Takes an object in; false if it was there. */
  boolean isNew(Object object) {
    int at = find(table, object);
    if (table[at] != null) {
      return false;
    }
    table[at] = object;
    count++;
    if (count * 2 > table.length) {
      Object[] larger = new Object[table.length * 2];
      for (Object each : table) {
        if (each != null) {
          larger[find(larger, each)] = each;
        }
      }
      table = larger;
    }
    return true;
  }

  private int find(Object[] in, Object object) {
    int hash = hash(object);
    int at = (hash ^ hash >>> 16) & in.length - 1;
    while (in[at] != null && in[at] != object) {
      at = at + 1 & in.length - 1;
    }
    return at;
  }

  private int hash(Object object) {
    Class<?> type = object.getClass();
    if (!type.isArray()) {
      return shapes.of(type).hash(object, shapes.memory());
    }
    int length = Array.getLength(object);
    int hash = type.getName().hashCode() + 31 * length;
    for (int i = 0; i < Math.min(length, ELEMENTS); i++) {
      hash = hash * 31 + hashOf(Array.get(object, i));
    }
    return hash;
  }

  /** Of a value within another; runs no code of the subject. */
  static int hashOf(Object value) {
    if (value == null) {
      return 0;
    }
    boolean isValue =
        value instanceof String
            || value instanceof Character
            || value instanceof Boolean
            || value instanceof Number && value.getClass().getName().startsWith("java.lang.");
    return isValue ? value.hashCode() : value.getClass().getName().hashCode();
  }
}
