package io.palus.worker.runtime;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far objects are from being equal, collections from being empty or from having an element.
 * Looks into plain classes of the JDK only: no code of the subject runs.
 */
final class ValueDistance {
  private static final int LOOKED_AT = 64;
  private static final Object[] NOTHING = {};
  private static final List<Class<?>> PLAIN =
      Arrays.asList(
          ArrayList.class,
          LinkedList.class,
          HashSet.class,
          LinkedHashSet.class,
          TreeSet.class,
          ArrayDeque.class,
          Vector.class,
          HashMap.class,
          LinkedHashMap.class,
          TreeMap.class,
          Hashtable.class,
          Properties.class,
          ConcurrentHashMap.class,
          Arrays.asList().getClass());

  private ValueDistance() {}

  static boolean isBox(Object value) {
    Class<?> type = value.getClass();
    return type == Integer.class
        || type == Long.class
        || type == Character.class
        || type == Double.class
        || type == Boolean.class
        || type == Byte.class
        || type == Short.class
        || type == Float.class;
  }

  /** Of two objects that are not equal. */
  static double equal(Object left, Object right) {
    if (left instanceof String && right instanceof String) {
      return TextDistance.equal((String) left, (String) right);
    }
    if (left == null || right == null) {
      Object other = left == null ? right : left;
      return other instanceof String ? 1 + ((String) other).length() : 1;
    }
    if (left.getClass() != right.getClass() || !isBox(left)) {
      return 1;
    }
    if (left instanceof Character) {
      return Jumps.distance((Character) left, (Character) right, true);
    }
    if (left instanceof Double || left instanceof Float) {
      return Jumps.distance(((Number) left).doubleValue(), ((Number) right).doubleValue(), true);
    }
    return left instanceof Number
        ? Jumps.distance(((Number) left).longValue(), ((Number) right).longValue(), true)
        : 1;
  }

  /** Of two arrays that are not equal: elements count less than 1, those missing 1. */
  static double arraysEqual(Object left, Object right) {
    if (!isArray(left) || !isArray(right)) {
      return 1;
    }
    int ofLeft = Array.getLength(left);
    int ofRight = Array.getLength(right);
    double sum = Math.abs((double) ofLeft - ofRight);
    for (int i = 0; i < ofLeft && i < ofRight && i < LOOKED_AT; i++) {
      Object one = Array.get(left, i);
      Object other = Array.get(right, i);
      if (!isSame(one, other)) {
        double apart = equal(one, other);
        sum += apart / (apart + 1);
      }
    }
    return sum == 0 ? 1 : sum; // 1: they differ further on
  }

  /** The first elements that differ; null if there are none. */
  static Object[] firstDifference(Object left, Object right) {
    if (!isArray(left) || !isArray(right)) {
      return null;
    }
    int common = Math.min(Array.getLength(left), Array.getLength(right));
    for (int i = 0; i < common && i < LOOKED_AT; i++) {
      Object one = Array.get(left, i);
      Object other = Array.get(right, i);
      if (!isSame(one, other)) {
        return new Object[] {one, other};
      }
    }
    return null;
  }

  private static boolean isArray(Object value) {
    return value != null && value.getClass().isArray();
  }

  static boolean isSame(Object one, Object other) {
    return one == other
        || one != null && (one instanceof String || isBox(one)) && one.equals(other);
  }

  /** How many elements or chars; 0 where that cannot be asked. */
  static int size(Object value) {
    if (value instanceof String) {
      return ((String) value).length();
    }
    if (value == null || !PLAIN.contains(value.getClass())) {
      return 0;
    }
    return value instanceof Map ? ((Map<?, ?>) value).size() : ((Collection<?>) value).size();
  }

  /** The first elements, keys or values; none where these cannot be asked. */
  static Object[] elements(Object value, int kind) {
    if (value == null || !PLAIN.contains(value.getClass())) {
      return NOTHING;
    }
    Collection<?> all;
    if (value instanceof Map) {
      Map<?, ?> map = (Map<?, ?>) value;
      all = kind == Comparison.CONTAINS_VALUE ? map.values() : map.keySet();
    } else {
      all = (Collection<?>) value;
    }
    Object[] elements = new Object[Math.min(all.size(), LOOKED_AT)];
    Iterator<?> each = all.iterator();
    int count = 0;
    while (count < elements.length && each.hasNext()) { // another thread may take some away
      elements[count++] = each.next();
    }
    return Arrays.copyOf(elements, count);
  }

  /** From not being among elements to being there, at the nearest of them. */
  static double contained(Object[] elements, Object wanted) {
    double best = Double.MAX_VALUE;
    for (Object element : elements) {
      best = Math.min(best, equal(element, wanted));
    }
    return elements.length == 0 ? 1 : best;
  }
}
