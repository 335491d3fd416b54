package io.palus.agent;

import org.objectweb.asm.Opcodes;

/** Decides from a class's access flags and names alone, without loading anything. */
final class ClassShape {
  private ClassShape() {}

  /** True if objects of the class can carry their state in a private field. */
  static boolean takesState(int access, String superName) {
    int fixed = Opcodes.ACC_INTERFACE | Opcodes.ACC_ENUM | Opcodes.ACC_RECORD;
    return (access & fixed) == 0 && !"java/lang/Record".equals(superName);
  }

  /** True if the class can be given a private method that reads the fields of its objects. */
  static boolean takesProfile(int access) {
    return (access & (Opcodes.ACC_INTERFACE | Opcodes.ACC_ENUM)) == 0;
  }

  static boolean isPlatform(String name) {
    return name.startsWith("java/")
        || name.startsWith("javax/")
        || name.startsWith("jdk/")
        || name.startsWith("sun/");
  }
}
