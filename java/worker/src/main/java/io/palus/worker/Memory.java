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
  /**
   * The place of a field in objects.
   *
   * @param field one that is not static
   * @return its offset
   */
  long objectFieldOffset(Field field);

  /**
   * What the static fields of a field's class are found in.
   *
   * @param field a static one
   * @return the base
   */
  Object staticFieldBase(Field field);

  /**
   * The place of a static field in its base.
   *
   * @param field the field
   * @return its offset
   */
  long staticFieldOffset(Field field);

  /**
   * Reads a reference.
   *
   * @param base an object, or the base of static fields
   * @param offset of a field in it
   * @return the value
   */
  Object getObject(Object base, long offset);

  /**
   * Writes a reference.
   *
   * @param base an object, or the base of static fields
   * @param offset of a field in it
   * @param value the value
   */
  void putObject(Object base, long offset, Object value);

  /**
   * Reads one byte.
   *
   * @param base an object, or the base of static fields
   * @param offset of a field in it
   * @return the value
   */
  byte getByte(Object base, long offset);

  /**
   * Writes one byte.
   *
   * @param base an object, or the base of static fields
   * @param offset of a field in it
   * @param value the value
   */
  void putByte(Object base, long offset, byte value);

  /**
   * Reads two bytes.
   *
   * @param base an object, or the base of static fields
   * @param offset of a field in it
   * @return the value
   */
  short getShort(Object base, long offset);

  /**
   * Writes two bytes.
   *
   * @param base an object, or the base of static fields
   * @param offset of a field in it
   * @param value the value
   */
  void putShort(Object base, long offset, short value);

  /**
   * Reads four bytes.
   *
   * @param base an object, or the base of static fields
   * @param offset of a field in it
   * @return the value
   */
  int getInt(Object base, long offset);

  /**
   * Writes four bytes.
   *
   * @param base an object, or the base of static fields
   * @param offset of a field in it
   * @param value the value
   */
  void putInt(Object base, long offset, int value);

  /**
   * Reads eight bytes.
   *
   * @param base an object, or the base of static fields
   * @param offset of a field in it
   * @return the value
   */
  long getLong(Object base, long offset);

  /**
   * Writes eight bytes.
   *
   * @param base an object, or the base of static fields
   * @param offset of a field in it
   * @param value the value
   */
  void putLong(Object base, long offset, long value);

  /**
   * Where a buffer's bytes are. Reading them there, with a base of null, takes a seventh of the
   * time that the buffer's own methods take in code that is compiled in the quick way.
   *
   * @param buffer a direct one, which must be kept as long as the address is used
   * @return the address; 0 where this JVM does not tell
   */
  default long address(java.nio.ByteBuffer buffer) {
    try {
      Field field = java.nio.Buffer.class.getDeclaredField("address");
      return buffer.isDirect() ? getLong(buffer, objectFieldOffset(field)) : 0;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return 0;
    }
  }

  /**
   * That of this JVM.
   *
   * @return it; null where the JVM gives nobody access
   */
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

  /**
   * Makes a class whose methods call those of the same names.
   *
   * @param called the class whose methods are called
   * @return one with a constructor that takes an object of that class
   */
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
