package io.palus.worker.instrument;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Lets a test class ask for garbage collection after each call that it makes of code that may hold
 * objects. A variable that is not read any more holds nothing then, as in compiled code.
 */
public final class GarbageCalls {
  private static final String GARBAGE = "io/palus/worker/runtime/Garbage";

  private GarbageCalls() {}

  /**
   * Adds the calls. They take and leave nothing, and null is of every type, so no stack map frame
   * changes.
   *
   * @param bytes the class file
   * @return the new class file
   */
  public static byte[] add(byte[] bytes) {
    ClassNode type = new ClassNode();
    new ClassReader(bytes).accept(type, 0);
    for (MethodNode method : type.methods) {
      add(method);
    }
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    type.accept(writer);
    return writer.toByteArray();
  }

  private static void add(MethodNode method) {
    AbstractInsnNode[] code = method.instructions.toArray();
    int[] lastReads = hasLoops(method) ? new int[0] : lastReads(method);
    for (int at = 0; at < code.length; at++) {
      if (!(code[at] instanceof MethodInsnNode) || !mayHold((MethodInsnNode) code[at])) {
        continue;
      }
      InsnList added = new InsnList();
      for (int variable = 1; variable < lastReads.length; variable++) {
        if (lastReads[variable] > 0 && lastReads[variable] < at) {
          added.add(new InsnNode(Opcodes.ACONST_NULL));
          added.add(new VarInsnNode(Opcodes.ASTORE, variable));
          lastReads[variable] = 0;
        }
      }
      added.add(new MethodInsnNode(Opcodes.INVOKESTATIC, GARBAGE, "collect", "()V", false));
      method.instructions.insert(code[at], added);
    }
  }

  private static boolean hasLoops(MethodNode method) {
    InsnList code = method.instructions;
    for (AbstractInsnNode node : code) {
      if (node instanceof JumpInsnNode
          && code.indexOf(((JumpInsnNode) node).label) < code.indexOf(node)) {
        return true;
      }
    }
    return false;
  }

  /** By variable: the place where it is read last, if it only ever holds objects; otherwise 0. */
  private static int[] lastReads(MethodNode method) {
    int[] places = new int[method.maxLocals];
    boolean[] isOther = new boolean[method.maxLocals];
    AbstractInsnNode[] code = method.instructions.toArray();
    for (int at = 0; at < code.length; at++) {
      if (code[at] instanceof VarInsnNode) {
        VarInsnNode use = (VarInsnNode) code[at];
        int opcode = use.getOpcode();
        isOther[use.var] |= opcode != Opcodes.ALOAD && opcode != Opcodes.ASTORE;
        places[use.var] = at;
        if (opcode == Opcodes.LSTORE || opcode == Opcodes.DSTORE) {
          isOther[use.var + 1] = true;
        }
      }
    }
    for (int variable = 0; variable < places.length; variable++) {
      places[variable] = isOther[variable] ? 0 : places[variable];
    }
    return places;
  }

  /** False for assertions, and for values: their code is known. */
  private static boolean mayHold(MethodInsnNode call) {
    return !call.owner.startsWith("org/junit/") && !PlainCalls.has(call.owner, call.name);
  }
}
