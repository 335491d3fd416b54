package io.palus.agent;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;

/** Adds to a class what {@link Traced} asks for: a field, its accessors, the profile. */
final class MemberWriter {
  private static final String TRACED = "io/palus/agent/Traced";
  private static final String PROFILE = "io/palus/agent/Profile";
  static final String STATE = "$palus$state";
  private static final int HIDDEN = Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC;

  private final ClassNode node;

  MemberWriter(ClassNode node) {
    this.node = node;
  }

  /** A field that changes no serialVersionUID and is not written with the object. */
  void addField() {
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC;
    node.fields.add(new FieldNode(access, STATE, "J", null, null));
  }

  void addAll(boolean superGivesProfile) {
    // Every class has its own field, so that nothing depends on guesses about its superclass; the
    // accessors are virtual, so an object has one state.
    addProfile(superGivesProfile);
    addField();
    node.interfaces.add(TRACED);
    MethodVisitor get = node.visitMethod(HIDDEN, STATE, "()J", null, null);
    get.visitCode();
    get.visitVarInsn(Opcodes.ALOAD, 0);
    get.visitFieldInsn(Opcodes.GETFIELD, node.name, STATE, "J");
    get.visitInsn(Opcodes.LRETURN);
    get.visitMaxs(2, 1);
    get.visitEnd();
    MethodVisitor set = node.visitMethod(HIDDEN, STATE, "(J)V", null, null);
    set.visitCode();
    set.visitVarInsn(Opcodes.ALOAD, 0);
    set.visitVarInsn(Opcodes.LLOAD, 1);
    set.visitFieldInsn(Opcodes.PUTFIELD, node.name, STATE, "J");
    set.visitInsn(Opcodes.RETURN);
    set.visitMaxs(3, 3);
    set.visitEnd();
  }

  private void addProfile(boolean superGivesProfile) {
    String name = "$palus$profile";
    String descriptor = "(L" + PROFILE + ";)V";
    MethodVisitor method = node.visitMethod(HIDDEN, name, descriptor, null, null);
    method.visitCode();
    if (superGivesProfile) {
      method.visitVarInsn(Opcodes.ALOAD, 0);
      method.visitVarInsn(Opcodes.ALOAD, 1);
      method.visitMethodInsn(Opcodes.INVOKESPECIAL, node.superName, name, descriptor, false);
    }
    for (FieldNode field : node.fields) {
      if ((field.access & (Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC)) != 0) {
        continue;
      }
      method.visitVarInsn(Opcodes.ALOAD, 1);
      method.visitVarInsn(Opcodes.ALOAD, 0);
      method.visitFieldInsn(Opcodes.GETFIELD, node.name, field.name, field.desc);
      add(method, Type.getType(field.desc));
    }
    method.visitInsn(Opcodes.RETURN);
    method.visitMaxs(3, 2);
    method.visitEnd();
  }

  private static void add(MethodVisitor method, Type type) {
    String name = "field";
    String descriptor;
    switch (type.getSort()) {
      case Type.BOOLEAN:
        descriptor = "(Z)V";
        break;
      case Type.FLOAT:
        method.visitInsn(Opcodes.F2D);
        descriptor = "(D)V";
        break;
      case Type.DOUBLE:
        descriptor = "(D)V";
        break;
      case Type.LONG:
        descriptor = "(J)V";
        break;
      case Type.ARRAY:
        name = "array";
        descriptor = "(Ljava/lang/Object;)V";
        break;
      case Type.OBJECT:
        descriptor = "(Ljava/lang/Object;)V";
        break;
      default:
        method.visitInsn(Opcodes.I2L);
        descriptor = "(J)V";
    }
    method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, PROFILE, name, descriptor, false);
  }
}
