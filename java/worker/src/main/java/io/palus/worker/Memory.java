package io.palus.worker;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;

/**
 * Fields of any object, private ones of the JDK's collections too. The methods are those of {@code
 * sun.misc.Unsafe} with the same names; the class that has them is generated, since compilers for
 * old releases hide that one.
 */
public interface Memory {
  /** The place of a field in objects. */
  long objectFieldOffset(Field field);

  /** What static fields of the field's class are found in. */
  Object staticFieldBase(Field field);

  /** The place of a static field there. */
  long staticFieldOffset(Field field);

  /** Reads a reference. */
  Object getObject(Object base, long offset);

  /** Writes a reference. */
  void putObject(Object base, long offset, Object value);

  /** Reads a field of one byte. */
  byte getByte(Object base, long offset);

  /** Writes a field of one byte. */
  void putByte(Object base, long offset, byte value);

  /** Reads a field of two bytes. */
  short getShort(Object base, long offset);

  /** Writes a field of two bytes. */
  void putShort(Object base, long offset, short value);

  /** Reads a field of four bytes. */
  int getInt(Object base, long offset);

  /** Writes a field of four bytes. */
  void putInt(Object base, long offset, int value);

  /** Reads a field of eight bytes. */
  long getLong(Object base, long offset);

  /** Writes a field of eight bytes. */
  void putLong(Object base, long offset, long value);

  /** That of this JVM; null where it gives nobody access. */
  static Memory open() {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field only = type.getDeclaredField("theUnsafe");
      only.setAccessible(true);
      Memory memory = (Memory) generate(type).getConstructor(type).newInstance(only.get(null));
      memory.objectFieldOffset(java.util.ArrayList.class.getDeclaredField("size"));
      return memory;
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      return null;
    }
  }

  /** A class whose methods call those of the same names. */
  static Class<?> generate(Class<?> called) {
    String name = Memory.class.getName().replace('.', '/') + "$Open";
    Type calledType = Type.getType(called);
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    String[] interfaces = {Type.getInternalName(Memory.class)};
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER;
    writer.visit(Opcodes.V1_8, access, name, null, "java/lang/Object", interfaces);
    writer.visitField(
        Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL, "to", calledType.getDescriptor(), null, null);
    String taken = Type.getMethodDescriptor(Type.VOID_TYPE, calledType);
    GeneratorAdapter code =
        new GeneratorAdapter(
            writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", taken, null, null),
            Opcodes.ACC_PUBLIC,
            "<init>",
            taken);
    code.visitCode();
    code.loadThis();
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    code.loadThis();
    code.loadArg(0);
    code.putField(Type.getObjectType(name), "to", calledType);
    code.returnValue();
    code.endMethod();
    for (Method method : Memory.class.getMethods()) {
      if (!java.lang.reflect.Modifier.isAbstract(method.getModifiers())) {
        continue;
      }
      String descriptor = Type.getMethodDescriptor(method);
      code =
          new GeneratorAdapter(
              writer.visitMethod(Opcodes.ACC_PUBLIC, method.getName(), descriptor, null, null),
              Opcodes.ACC_PUBLIC,
              method.getName(),
              descriptor);
      code.visitCode();
      code.loadThis();
      code.getField(Type.getObjectType(name), "to", calledType);
      code.loadArgs();
      code.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL, calledType.getInternalName(), method.getName(), descriptor, false);
      code.returnValue();
      code.endMethod();
    }
    writer.visitEnd();
    byte[] bytes = writer.toByteArray();
    return new ClassLoader(Memory.class.getClassLoader()) {
      Class<?> define() {
        return defineClass(name.replace('/', '.'), bytes, 0, bytes.length);
      }
    }.define();
  }
}
