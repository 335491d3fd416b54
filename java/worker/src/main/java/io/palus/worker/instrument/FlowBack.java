package io.palus.worker.instrument;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The control flow read backwards, over few instructions. */
final class FlowBack {
  private static final int MOST_PRODUCERS = 16;

  private final AbstractInsnNode[] code;

  /** By place of the label: places of the jumps that lead there. */
  private final Map<Integer, List<Integer>> sources = new TreeMap<>();

  /** Labels of handlers and cases. */
  private final BitSet others = new BitSet();

  FlowBack(MethodNode method, AbstractInsnNode[] code) {
    this.code = code;
    method.tryCatchBlocks.forEach(block -> others.set(place(block.handler)));
    for (int at = 0; at < code.length; at++) {
      AbstractInsnNode node = code[at];
      if (node instanceof JumpInsnNode) {
        int target = place(((JumpInsnNode) node).label);
        sources.computeIfAbsent(target, key -> new ArrayList<>()).add(at);
      } else {
        for (LabelNode label : ProbeInserter.cases(node)) {
          others.set(place(label));
        }
      }
    }
  }

  static int place(LabelNode label) {
    return (Integer) label.getLabel().info;
  }

  static boolean isBooleanConstant(AbstractInsnNode node) {
    return node.getOpcode() == Opcodes.ICONST_0 || node.getOpcode() == Opcodes.ICONST_1;
  }

  static boolean isSmallConstant(AbstractInsnNode node) {
    return node.getOpcode() >= Opcodes.ICONST_M1 && node.getOpcode() <= Opcodes.SIPUSH;
  }

  /** The instruction before, where no other way leads here; negative if there is none. */
  int previous(int at) {
    int before = at - 1;
    while (before >= 0 && code[before].getOpcode() < 0) {
      if (sources.containsKey(before) || others.get(before)) {
        return -1;
      }
      before--;
    }
    return before;
  }

  /** The next instruction in code order. */
  int next(int at) {
    for (int next = at + 1; next < code.length; next++) {
      if (code[next].getOpcode() >= 0) {
        return next;
      }
    }
    return -1;
  }

  /** The instructions that push what the one here takes; none where that cannot be told. */
  List<Integer> producers(int consumer) {
    List<Integer> found = new ArrayList<>();
    boolean isKnown = collect(consumer, found, new BitSet());
    return isKnown && found.size() <= MOST_PRODUCERS ? found : new ArrayList<>();
  }

  private boolean collect(int from, List<Integer> found, BitSet visited) {
    for (int at = from - 1; at >= 0; at--) {
      if (code[at].getOpcode() >= 0) {
        found.add(at);
        return pushesInt(code[at]);
      }
      if (others.get(at) || visited.get(at)) {
        return false;
      }
      List<Integer> jumps = sources.get(at);
      if (jumps != null) {
        visited.set(at);
        for (int jump : jumps) {
          if (code[jump].getOpcode() != Opcodes.GOTO || !collect(jump, found, visited)) {
            return false;
          }
        }
        if (isEndBefore(at)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The jumps of which one has just been made or not; none if others lead here too. */
  List<Integer> deciders(int constant) {
    List<Integer> found = new ArrayList<>();
    for (int at = constant - 1; at >= 0; at--) {
      if (code[at].getOpcode() >= 0) {
        found.add(at);
        return isConditional(code[at]) ? found : new ArrayList<>();
      }
      if (others.get(at)) {
        return new ArrayList<>();
      }
      for (int jump : sources.getOrDefault(at, new ArrayList<>())) {
        if (!isConditional(code[jump])) {
          return new ArrayList<>();
        }
        found.add(jump);
      }
      if (isEndBefore(at)) {
        return found;
      }
    }
    return new ArrayList<>();
  }

  private static boolean isConditional(AbstractInsnNode node) {
    int opcode = node.getOpcode();
    return opcode >= Opcodes.IFEQ && opcode <= Opcodes.IF_ACMPNE
        || opcode == Opcodes.IFNULL
        || opcode == Opcodes.IFNONNULL;
  }

  /** Whether the code before this label goes on elsewhere. */
  private boolean isEndBefore(int label) {
    int before = label - 1;
    while (before >= 0 && code[before].getOpcode() < 0) {
      if (sources.containsKey(before) || others.get(before)) {
        return false;
      }
      before--;
    }
    int opcode = before < 0 ? Opcodes.NOP : code[before].getOpcode();
    return opcode == Opcodes.GOTO
        || opcode == Opcodes.ATHROW
        || opcode >= Opcodes.TABLESWITCH && opcode <= Opcodes.RETURN;
  }

  private static boolean pushesInt(AbstractInsnNode node) {
    int opcode = node.getOpcode();
    return opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.SIPUSH
        || opcode == Opcodes.ILOAD
        || opcode == Opcodes.INSTANCEOF
        || opcode == Opcodes.ARRAYLENGTH
        || opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD
        || opcode >= Opcodes.IADD && opcode <= Opcodes.LXOR
        || opcode >= Opcodes.I2L && opcode <= Opcodes.DCMPG
        || node instanceof MethodInsnNode
        || node instanceof FieldInsnNode
            && (opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC);
  }
}
