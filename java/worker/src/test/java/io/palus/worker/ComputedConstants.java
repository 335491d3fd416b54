package io.palus.worker;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Classes that no compiler makes: {@code sly.Constant} and {@code sly.Raw}. */
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

  /** A file that deletes itself by a handle to the method of its superclass. */
  static byte[] raw() {
    ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER;
    type.visit(Opcodes.V1_8, access, "sly/Raw", null, "java/io/File", null);
    MethodVisitor made = type.visitMethod(0, "<init>", "(Ljava/lang/String;)V", null, null);
    made.visitCode();
    made.visitVarInsn(Opcodes.ALOAD, 0);
    made.visitVarInsn(Opcodes.ALOAD, 1);
    String named = "(Ljava/lang/String;)V";
    made.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/io/File", "<init>", named, false);
    made.visitInsn(Opcodes.RETURN);
    made.visitMaxs(0, 0);
    made.visitEnd();
    deleted(type, "deleted", "java/io/File");
    deleted(type, "deletedAsOwn", "sly/Raw");
    return type.toByteArray();
  }

  private static void deleted(ClassWriter type, String name, String owner) {
    MethodVisitor method =
        type.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, name, TEXT, null, null);
    method.visitCode();
    method.visitLdcInsn(new Handle(Opcodes.H_INVOKESPECIAL, owner, "delete", "()Z", false));
    method.visitTypeInsn(Opcodes.NEW, "sly/Raw");
    method.visitInsn(Opcodes.DUP);
    method.visitVarInsn(Opcodes.ALOAD, 0);
    String named = "(Ljava/lang/String;)V";
    method.visitMethodInsn(Opcodes.INVOKESPECIAL, "sly/Raw", "<init>", named, false);
    String handle = "java/lang/invoke/MethodHandle";
    method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, handle, "invoke", "(Lsly/Raw;)Z", false);
    method.visitInsn(Opcodes.POP);
    method.visitInsn(Opcodes.ACONST_NULL);
    method.visitInsn(Opcodes.ARETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
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
