package io.palus.worker;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which fields of a class's objects can change, and which lead to other objects. Knows the
 * subject's classes and the JDK's collections; all else is a leaf, as is what threads wait in.
 */
final class ObjectShape {
  private static final ObjectShape LEAF = new ObjectShape(new Place[0], new long[0], 0);

  /** Of {@code java.util} itself: what the JDK shares with others, or the collector changes. */
  private static final Set<String> LEFT_OUT =
      new HashSet<>(
          Arrays.asList(
              "Currency",
              "Locale",
              "ResourceBundle",
              "ServiceLoader",
              "SimpleTimeZone",
              "TimeZone",
              "Timer",
              "TimerTask",
              "WeakHashMap"));

  /** Fields that are not final. */
  final Place[] places;

  /** Offsets of final fields that refer to objects. */
  final long[] links;

  /** The same for the class in every JVM. */
  private final int hash;

  private ObjectShape(Place[] places, long[] links, int hash) {
    this.places = places;
    this.links = links;
    this.hash = hash;
  }

  boolean isLeaf() {
    return this == LEAF;
  }

  /** A number that comes from what is in the object. */
  int hash(Object object, Memory memory) {
    int sum = hash;
    for (Place place : places) {
      sum = sum * 31 + SeenObjects.hashOf(place.read(object, memory));
    }
    for (long link : links) {
      sum = sum * 31 + SeenObjects.hashOf(memory.getObject(object, link));
    }
    return sum;
  }

  /** A field's place and its bytes: 1, 2, 4, 8, or 0 for a reference. */
  static final class Place {
    final long offset;
    final int size;

    Place(long offset, int size) {
      this.offset = offset;
      this.size = size;
    }

    /** A reference, or the bytes as a number. */
    Object read(Object base, Memory memory) {
      switch (size) {
        case 1:
          return (long) memory.getByte(base, offset);
        case 2:
          return (long) memory.getShort(base, offset);
        case 4:
          return (long) memory.getInt(base, offset);
        case 8:
          return memory.getLong(base, offset);
        default:
          return memory.getObject(base, offset);
      }
    }

    /** Writes what was read. */
    void write(Object base, Memory memory, Object value) {
      switch (size) {
        case 1:
          memory.putByte(base, offset, (byte) (long) value);
          break;
        case 2:
          memory.putShort(base, offset, (short) (long) value);
          break;
        case 4:
          memory.putInt(base, offset, (int) (long) value);
          break;
        case 8:
          memory.putLong(base, offset, (long) value);
          break;
        default:
          memory.putObject(base, offset, value);
          break;
      }
    }
  }

  static int sizeOf(Class<?> type) {
    if (!type.isPrimitive()) {
      return 0;
    }
    if (type == long.class || type == double.class) {
      return 8;
    }
    if (type == int.class || type == float.class) {
      return 4;
    }
    return type == short.class || type == char.class ? 2 : 1;
  }

  /** The shape of a class that is no array. */
  static ObjectShape of(Class<?> type, Memory memory) {
    if (!isOpen(type)) {
      return LEAF;
    }
    try {
      List<Place> places = new ArrayList<>();
      List<Long> links = new ArrayList<>();
      for (Class<?> each = type; each != null; each = each.getSuperclass()) {
        for (Field field : isOpen(each) ? each.getDeclaredFields() : new Field[0]) {
          int size = sizeOf(field.getType());
          if (Modifier.isStatic(field.getModifiers())) {
            continue;
          }
          long offset = memory.objectFieldOffset(field);
          if (!Modifier.isFinal(field.getModifiers())) {
            places.add(new Place(offset, size));
          } else if (size == 0) {
            links.add(offset);
          }
        }
      }
      long[] offsets = links.stream().mapToLong(Long::longValue).toArray();
      return new ObjectShape(places.toArray(new Place[0]), offsets, type.getName().hashCode());
    } catch (LinkageError | RuntimeException e) { // a missing class, a record
      return LEAF;
    }
  }

  private static boolean isOpen(Class<?> type) {
    String name = type.getName();
    if (name.indexOf('/') >= 0) {
      return false; // made for a lambda
    }
    if (type.getClassLoader() instanceof SubjectLoader) {
      return true;
    }
    if (!name.startsWith("java.")) {
      return false;
    }
    int end = name.indexOf('$');
    String outer = end < 0 ? name : name.substring(0, end);
    String simple = outer.substring(outer.lastIndexOf('.') + 1);
    switch (outer.substring(0, outer.lastIndexOf('.'))) {
      case "java.util":
        return !LEFT_OUT.contains(simple);
      case "java.util.concurrent":
        return simple.startsWith("Concurrent")
            || simple.startsWith("CopyOnWrite")
            || simple.endsWith("Queue")
            || simple.endsWith("Deque");
      case "java.util.concurrent.atomic":
        return true;
      case "java.lang":
        return simple.startsWith("StringBu") || simple.equals("AbstractStringBuilder");
      default:
        return false;
    }
  }
}
