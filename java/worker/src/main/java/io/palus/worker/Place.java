package io.palus.worker;

import java.lang.reflect.Field;

/** A static field of the JDK's that no method reads; empty where there is none, or no access. */
final class Place {
  private static final Memory MEMORY = Memory.open();

  private final Object base;
  private final long offset;

  private Place(Object base, long offset) {
    this.base = base;
    this.offset = offset;
  }

  static Place of(String type, String name) {
    try {
      Field field =
          Class.forName(type, false, ClassLoader.getSystemClassLoader()).getDeclaredField(name);
      if (MEMORY != null) {
        return new Place(MEMORY.staticFieldBase(field), MEMORY.staticFieldOffset(field));
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      return new Place(null, 0);
    }
    return new Place(null, 0);
  }

  Object read() {
    return base == null ? null : MEMORY.getObject(base, offset);
  }

  void write(Object value) {
    if (base != null) {
      MEMORY.putObject(base, offset, value);
    }
  }
}
