package io.palus.worker;

import io.palus.wire.ByteWriter;
import io.palus.wire.FieldAbstraction;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What observing needs to know of a runtime class: its name and how its profile is read. */
final class TypeInfo {
  /** How objects of the class are observed. */
  enum Kind {
    /** Boxes and Strings. */
    VALUE,
    /** Enum constants. */
    ENUM,
    /** Arrays. */
    ARRAY,
    /** All others. */
    OBJECT
  }

  /** More fields nobody wants to read in a test. */
  private static final int MOST_OF_VALUE = 5;

  private static final ClassValue<TypeInfo> BY_CLASS =
      new ClassValue<TypeInfo>() {
        @Override
        protected TypeInfo computeValue(Class<?> type) {
          return new TypeInfo(type);
        }
      };

  final Kind kind;
  final String name;

  /** Whether an object of the class may be looked into. */
  final boolean mayHaveContent;

  /** Whether it is a class of the subject that never changes and has an {@code equals}. */
  final boolean isValueClass;

  /** Number of the name in frame {@link #frame}. */
  int number;

  long frame;

  private final Field[] fields;

  private TypeInfo(Class<?> type) {
    if (type.isArray()) {
      kind = Kind.ARRAY;
    } else if (Enum.class.isAssignableFrom(type) && type != Enum.class) {
      kind = Kind.ENUM;
    } else if (type == String.class || type == Boolean.class || type == Character.class) {
      kind = Kind.VALUE;
    } else if (Number.class.isAssignableFrom(type) && isBox(type)) {
      kind = Kind.VALUE;
    } else {
      kind = Kind.OBJECT;
    }
    name = nameOf(type);
    fields = kind == Kind.OBJECT ? fieldsOf(type) : null;
    isValueClass = fields != null && isValueClass(type, fields);
    mayHaveContent = isValueClass || Contents.mayHave(type);
  }

  static TypeInfo of(Class<?> type) {
    return BY_CLASS.get(type);
  }

  private static boolean isBox(Class<?> type) {
    return type == Integer.class
        || type == Long.class
        || type == Double.class
        || type == Float.class
        || type == Short.class
        || type == Byte.class;
  }

  /** Internal name; what differs between runs in names made up at run time is cut off. */
  static String nameOf(Class<?> type) {
    String name = type.getName();
    int slash = name.indexOf('/');
    if (slash >= 0) {
      name = name.substring(0, slash); // Demo$$Lambda/0x0000123
    }
    int lambda = name.indexOf("$$Lambda$");
    if (lambda >= 0) {
      name = name.substring(0, lambda + "$$Lambda".length());
    }
    if (java.lang.reflect.Proxy.isProxyClass(type)) {
      name = "$Proxy";
    }
    return name.replace('.', '/');
  }

  private static Field[] fieldsOf(Class<?> type) {
    List<Field> all = new ArrayList<>();
    collect(type, all);
    return isSubject(type) ? all.toArray(new Field[0]) : null;
  }

  private static boolean isValueClass(Class<?> type, Field[] fields) {
    Class<?> parent = type.getSuperclass();
    boolean isPlain = parent == Object.class || parent.getName().equals("java.lang.Record");
    if (!isPlain || fields.length == 0 || fields.length > MOST_OF_VALUE) {
      return false;
    }
    for (Field field : fields) {
      if (!Modifier.isFinal(field.getModifiers())) {
        return false;
      }
    }
    try {
      return type.getDeclaredMethod("equals", Object.class) != null;
    } catch (NoSuchMethodException | LinkageError e) {
      return false;
    }
  }

  private static boolean isSubject(Class<?> type) {
    ClassLoader loader = type == null ? null : type.getClassLoader();
    return loader instanceof SubjectLoader
        && ((SubjectLoader) loader).classes().isSubject(type.getName().replace('.', '/'));
  }

  private static void collect(Class<?> type, List<Field> all) {
    if (!isSubject(type)) {
      return;
    }
    collect(type.getSuperclass(), all);
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
        field.setAccessible(true);
        all.add(field);
      }
    }
  }

  /** Writes the profile: 0 for none, else the number of codes plus one, and the codes. */
  void writeProfile(Object object, ByteWriter out) {
    if (kind == Kind.ARRAY) {
      out.put(2);
      out.varint(FieldAbstraction.ofArray(object));
      return;
    }
    if (fields == null) {
      out.put(0);
      return;
    }
    out.varint(fields.length + 1);
    for (Field field : fields) {
      out.varint(code(field, object));
    }
  }

  /** What the fields of a value class hold, in the order of the class file. */
  List<Object> heldBy(Object object) {
    List<Object> held = new ArrayList<>();
    for (Field field : fields) {
      held.add(valueOf(field, object));
    }
    return held;
  }

  /** Whether it is written as a value, not as an object. */
  boolean isPlain() {
    return kind == Kind.VALUE || kind == Kind.ENUM;
  }

  /** Fields of its subject classes that hold what can be told in full. */
  List<Field> toldFields(Object object) {
    if (fields == null) {
      return Collections.emptyList();
    }
    List<Field> told = new ArrayList<>();
    for (Field field : fields) {
      Object value = valueOf(field, object);
      TypeInfo info = value == null ? null : of(value.getClass());
      if (info == null || info.isPlain() || info.mayHaveContent && Contents.of(value) != null) {
        told.add(field);
      }
    }
    return told;
  }

  /** What a field made accessible holds. */
  static Object valueOf(Field field, Object object) {
    try {
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a field made accessible is accessible", e);
    }
  }

  private static int code(Field field, Object object) {
    Class<?> type = field.getType();
    try {
      if (!type.isPrimitive()) {
        Object value = field.get(object);
        return type.isArray()
            ? FieldAbstraction.ofArray(value)
            : FieldAbstraction.ofReference(value);
      }
      if (type == boolean.class) {
        return FieldAbstraction.of(field.getBoolean(object));
      }
      if (type == float.class || type == double.class) {
        return FieldAbstraction.of(field.getDouble(object));
      }
      return FieldAbstraction.of(
          type == char.class ? field.getChar(object) : field.getLong(object));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a field made accessible is accessible", e);
    }
  }
}
