package io.palus.agent;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;

/**
 * Adds to a class what {@link Members} reaches. Everything is private and synthetic: it changes no
 * serialVersionUID, is not inherited, cannot be overridden, and the field is not written with the
 * object.
 */
final class MemberWriter {
  /** How the names of all begin. */
  static final String OURS = "$palus$";

  static final String STATE = "$palus$state";
  static final String PROFILE = "$palus$profile";

  private static final String CODES = "io/palus/agent/Profile";
  static final String PROFILE_TYPE = "(L" + CODES + ";)V";
  private static final int HIDDEN = Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC;

  private final ClassNode node;

  MemberWriter(ClassNode node) {
    this.node = node;
  }

  /**
   * A field for the object's state. Every class has its own, so that nothing depends on guesses
   * about its superclass.
   */
  void addState() {
    int access = HIDDEN | Opcodes.ACC_TRANSIENT;
    node.fields.add(new FieldNode(access, STATE, "J", null, null));
  }

  /** A method that adds one code per field of this class. */
  void addProfile() {
    MethodVisitor method = node.visitMethod(HIDDEN, PROFILE, PROFILE_TYPE, null, null);
    method.visitCode();
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
    method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, CODES, name, descriptor, false);
  }
}
