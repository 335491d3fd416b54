package io.palus.worker;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The class {@code sly.Constant}, which no compiler makes. */
final class ComputedConstants {
  private static final String TEXT = "(Ljava/lang/String;)Ljava/lang/Object;";

  private ComputedConstants() {}

  /** A class with constants that are computed by calls: one deletes a file, one is harmless. */
  static byte[] of(String file) {
    String object = "Ljava/lang/Object;";
    String lookup = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;";
    Handle invoke =
        new Handle(
            Opcodes.H_INVOKESTATIC,
            "java/lang/invoke/ConstantBootstraps",
            "invoke",
            lookup + "Ljava/lang/invoke/MethodHandle;[" + object + ")" + object,
            false);
    String named = "(Ljava/lang/String;)V";
    Handle newFile = new Handle(Opcodes.H_NEWINVOKESPECIAL, "java/io/File", "<init>", named, false);
    Handle delete = new Handle(Opcodes.H_INVOKEVIRTUAL, "java/io/File", "delete", "()Z", false);
    Handle writer =
        new Handle(Opcodes.H_NEWINVOKESPECIAL, "java/io/FileWriter", "<init>", named, false);
    Object made = new ConstantDynamic("file", "Ljava/io/File;", invoke, newFile, file);
    ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    type.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "sly/Constant", null, "java/lang/Object", null);
    constant(type, "made", made);
    constant(type, "deleted", new ConstantDynamic("gone", object, invoke, delete, made));
    constant(type, "opened", new ConstantDynamic("open", object, invoke, writer, file));
    return type.toByteArray();
  }

  private static void constant(ClassWriter type, String name, Object value) {
    MethodVisitor method =
        type.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, name, TEXT, null, null);
    method.visitCode();
    method.visitLdcInsn(value);
    method.visitInsn(Opcodes.ARETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }
}
