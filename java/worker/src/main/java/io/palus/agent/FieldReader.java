package io.palus.agent;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * States and profiles of objects whose class could not be given public members: a Serializable
 * class without its own serialVersionUID has a private field for the state, a record nothing at
 * all. Reflective, hence slow, hence only for these.
 */
final class FieldReader {
  private final Field[] fields;
  private final Field stateField;

  FieldReader(Class<?> type) {
    List<Field> all = new ArrayList<>();
    boolean readable = collect(type, all);
    fields = readable ? all.toArray(new Field[0]) : null;
    stateField = findState(type);
  }

  private static Field findState(Class<?> type) {
    try {
      Field field = type.getDeclaredField(MemberWriter.STATE);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException | RuntimeException e) {
      return null; // a record, or in a module that is not open
    }
  }

  /** The object's state. */
  long state(Object object) throws IllegalAccessException {
    if (stateField != null) {
      return stateField.getLong(object);
    }
    IdentityMap.Entry entry = IdentityMap.find(object, false);
    return entry == null ? 0 : entry.state;
  }

  /** Sets the object's state. */
  void state(Object object, long state) throws IllegalAccessException {
    if (stateField != null) {
      stateField.setLong(object, state);
    } else {
      IdentityMap.find(object, true).state = state;
    }
  }

  private static boolean collect(Class<?> type, List<Field> all) {
    if (type == null || !ClassInfo.of(type).isSubject) {
      return true;
    }
    if (!collect(type.getSuperclass(), all)) {
      return false;
    }
    for (Field field : type.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
        continue;
      }
      try {
        field.setAccessible(true);
      } catch (RuntimeException e) {
        return false; // in a module that is not open
      }
      all.add(field);
    }
    return true;
  }

  /** Adds a code per field; false if the fields cannot be read. */
  boolean read(Object object, Profile profile) throws IllegalAccessException {
    if (fields == null) {
      return false;
    }
    for (Field field : fields) {
      Class<?> type = field.getType();
      if (type == boolean.class) {
        profile.field(field.getBoolean(object));
      } else if (type == float.class || type == double.class) {
        profile.field(field.getDouble(object));
      } else if (type == char.class) {
        profile.field((long) field.getChar(object));
      } else if (type.isPrimitive()) {
        profile.field(field.getLong(object));
      } else if (type.isArray()) {
        profile.array(field.get(object));
      } else {
        profile.field(field.get(object));
      }
    }
    return true;
  }
}
