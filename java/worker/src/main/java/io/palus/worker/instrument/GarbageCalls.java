package io.palus.worker.instrument;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Lets a test class ask for garbage collection after each call that it makes of code that may hold
 * objects.
 */
public final class GarbageCalls {
  private static final String GARBAGE = "io/palus/worker/runtime/Garbage";

  private GarbageCalls() {}

  /**
   * Adds the calls. They take and leave nothing, so no stack map frame changes.
   *
   * @param bytes the class file
   * @return the new class file
   */
  public static byte[] add(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new Visitor(writer), 0);
    return writer.toByteArray();
  }

  private static final class Visitor extends ClassVisitor {
    Visitor(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String name, String descriptor, boolean isInterface) {
          super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
          if (mayHold(owner, name)) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, GARBAGE, "collect", "()V", false);
          }
        }
      };
    }
  }

  /** False for assertions, and for values: their code is known. */
  private static boolean mayHold(String owner, String name) {
    return !owner.startsWith("org/junit/") && !PlainCalls.has(owner, name);
  }
}
