package io.palus.agent;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * Profiles of objects whose class could not be given a method for it (a Serializable class without
 * its own serialVersionUID, a record). Reflective, hence slow, hence only for these.
 */
final class FieldReader {
  private final Field[] fields;

  FieldReader(Class<?> type) {
    List<Field> all = new ArrayList<>();
    boolean readable = collect(type, all);
    fields = readable ? all.toArray(new Field[0]) : null;
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
