package io.palus.agent;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** The place in a constructor where {@code super(..)} or {@code this(..)} is called. */
final class ConstructorCall {
  private static final String END = ClassRewriter.AGENT + "CallEnd";
  private static final String FRAME = "L" + ClassRewriter.AGENT + "CallFrame;";

  private ConstructorCall() {}

  /**
   * The call that initialises {@code this}; null where it is not the only candidate. Up to it,
   * every {@code new} is met by the constructor call of its own object.
   */
  static MethodInsnNode find(ClassNode owner, MethodNode constructor) {
    MethodInsnNode found = null;
    int pending = 0;
    for (AbstractInsnNode i = constructor.instructions.getFirst(); i != null; i = i.getNext()) {
      int opcode = i.getOpcode();
      if (opcode == Opcodes.NEW) {
        pending++;
      } else if (opcode == Opcodes.ASTORE && ((VarInsnNode) i).var == 0) {
        return null; // `this` would be gone at the end
      } else if (opcode == Opcodes.INVOKESPECIAL) {
        MethodInsnNode call = (MethodInsnNode) i;
        if (!call.name.equals("<init>")) {
          continue;
        }
        if (pending > 0) {
          pending--;
        } else if (found != null) {
          return null;
        } else if (call.owner.equals(owner.name) || call.owner.equals(owner.superName)) {
          found = call;
        } else {
          return null;
        }
      }
    }
    return found;
  }

  /** True if something in front of the call can throw. */
  static boolean canThrowBefore(MethodNode constructor, MethodInsnNode call) {
    for (AbstractInsnNode i = constructor.instructions.getFirst(); i != call; i = i.getNext()) {
      int opcode = i.getOpcode();
      boolean harmless =
          opcode < Opcodes.IALOAD
              || opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE
              || opcode >= Opcodes.POP && opcode <= Opcodes.SWAP
              || opcode == Opcodes.PUTFIELD;
      if (!harmless) {
        return true;
      }
    }
    return false;
  }

  /** What tells the recorder that the call comes; nothing for {@code Object}. */
  static InsnList before(MethodInsnNode other, int call) {
    InsnList code = new InsnList();
    if (other.owner.equals("java/lang/Object")) {
      return code;
    }
    code.add(new VarInsnNode(Opcodes.ALOAD, call));
    if (ClassShape.isPlatform(other.owner)) {
      code.add(invoke("foreignSuperCall", "(" + FRAME + ")V"));
    } else {
      code.add(new LdcInsnNode(other.owner));
      code.add(invoke("superCall", "(" + FRAME + "Ljava/lang/String;)V"));
    }
    return code;
  }

  /** What tells the recorder that the call is done; nothing for {@code Object}. */
  static InsnList after(MethodInsnNode other, int call) {
    InsnList code = new InsnList();
    if (other.owner.equals("java/lang/Object")) {
      return code;
    }
    code.add(new VarInsnNode(Opcodes.ALOAD, call));
    code.add(invoke("constructed", "(" + FRAME + ")V"));
    return code;
  }

  private static MethodInsnNode invoke(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, END, name, descriptor, false);
  }
}
