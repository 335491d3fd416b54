package io.palus.worker.runtime;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * Guards what gets at the JDK's own state past its methods: fields by reflection, by method and
 * variable handles, and memory by {@code Unsafe}. All code of the JVM shares that state, and
 * nothing could put it back: a number in the cache of {@code Integer.valueOf}, the descriptor of a
 * file that somebody else has open.
 */
public final class Fields {
  private static final ClassLoader PLATFORM = ClassLoader.getSystemClassLoader().getParent();

  /** Who wants this one gets no further than to calls that have guards. */
  private static final String UNSAFE = "sun.misc.Unsafe";

  private Fields() {}

  /**
   * A field is written by reflection, or what writes it is made.
   *
   * @param field a {@code Field}; null is left to the method called
   */
  public static void writes(Object field) {
    if (field instanceof Field && isHidden((Field) field)) {
      Guard.deny("a change of " + name((Field) field) + " of the JDK");
    }
  }

  /**
   * A field is read by reflection, or what reads it is made. Denied is only what others share and
   * could be changed.
   *
   * @param field a {@code Field}; null is left to the method called
   */
  public static void reads(Object field) {
    if (field instanceof Field && isHidden((Field) field) && isShared((Field) field)) {
      Guard.deny("a look at " + name((Field) field) + " of the JDK");
    }
  }

  /**
   * What writes a field, or reads and writes it, is looked up.
   *
   * @param type the class that has it; null is left to the method called
   * @param name its name
   */
  public static void lookUp(Object type, Object name) {
    if (type instanceof Class && name != null && isJdks((Class<?>) type)) {
      for (Field open : ((Class<?>) type).getFields()) {
        if (open.getName().equals(name)) {
          return;
        }
      }
      String simple = ((Class<?>) type).getSimpleName();
      Guard.deny("a change of " + simple + '.' + name + " of the JDK");
    }
  }

  /**
   * Memory is written, or exchanged, behind the back of the JVM.
   *
   * @param base the object it belongs to; null for an address
   */
  public static void memory(Object base) {
    if (base == null) {
      Guard.deny("a write to memory of the JVM");
    } else {
      // The static fields of a class are written as its own.
      Class<?> type = base instanceof Class ? (Class<?>) base : base.getClass();
      for (Class<?> up = type; up != null && !type.isArray(); up = up.getSuperclass()) {
        // An object of the subject's may inherit fields of the JDK's.
        if (isJdks(up) && (up == type || up != Object.class && up != Number.class)) {
          Guard.deny("a write to memory of " + up.getSimpleName() + " of the JDK");
        }
      }
    }
  }

  /** Memory is written at an address. */
  public static void address() {
    memory(null);
  }

  /** Whether it is the JDK's, and code could not name it in the source either. */
  private static boolean isHidden(Field field) {
    Class<?> type = field.getDeclaringClass();
    boolean isPublic = Modifier.isPublic(field.getModifiers() & type.getModifiers());
    return isJdks(type) && !isPublic;
  }

  private static boolean isShared(Field field) {
    Class<?> type = field.getType();
    boolean isConstant = type.isPrimitive() || type == String.class || type == Class.class;
    return Modifier.isStatic(field.getModifiers())
        && !isConstant
        && !field.getDeclaringClass().getName().equals(UNSAFE);
  }

  private static boolean isJdks(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == PLATFORM;
  }

  private static String name(Field field) {
    return field.getDeclaringClass().getSimpleName() + '.' + field.getName();
  }
}
