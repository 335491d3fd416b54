package io.palus.worker.instrument;

import io.palus.worker.runtime.Jumps;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Puts probes, fuel and the depth bound into one method, in straight lines.
 *
 * <p>Depth: up at the entry, down at returns. A throw leaves it too high, so a method with handlers
 * keeps its depth in a variable of its own and each handler sets it back. Class initialisers burn
 * no fuel; a handler around them sees their end.
 */
final class ProbeInserter {
  private static final String PROBES = "io/palus/worker/runtime/Probes";
  private static final String JUMPS = "io/palus/worker/runtime/Jumps";
  private static final int FRAMES_SINCE = 50;

  private final MethodNode method;
  private final InsnList code;
  private final int majorVersion;
  private final boolean isInitializer;

  /** By place of the label. */
  private final BitSet handlers = new BitSet();

  private FlagPlan plan;
  private int next;
  private int keptDepth = -1;

  ProbeInserter(MethodNode method, int firstProbe, int majorVersion) {
    this.method = method;
    this.code = method.instructions;
    this.majorVersion = majorVersion;
    this.next = firstProbe;
    this.isInitializer = method.name.equals("<clinit>");
  }

  static boolean hasProbes(MethodNode method) {
    return method.instructions.size() > 0 && !method.name.startsWith("$jacoco");
  }

  /** The probe after the method's last one. */
  int next() {
    return next;
  }

  void insert() {
    AbstractInsnNode[] original = code.toArray();
    number(original);
    plan = new FlagPlan(method, original);
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      handlers.set(place(block.handler));
    }
    if (!handlers.isEmpty()) {
      keptDepth = method.maxLocals++;
    }
    int entry = next++;
    boolean isFirst = true;
    boolean beginsLine = false;
    boolean beginsHandler = false;
    for (int at = 0; at < original.length; at++) {
      AbstractInsnNode node = original[at];
      if (node instanceof LineNumberNode) {
        beginsLine = true;
      } else if (node instanceof LabelNode) {
        beginsHandler |= handlers.get(at);
      } else if (node instanceof FrameNode) {
        widen((FrameNode) node);
      } else {
        if (beginsHandler) {
          restoreDepth(node);
        }
        if (beginsLine && !isFirst) {
          code.insertBefore(node, push(next++));
          code.insertBefore(node, call("hit", "(I)V"));
        }
        atInstruction(node, at);
        plan.insert(code, at);
        isFirst = false;
        beginsLine = false;
        beginsHandler = false;
      }
    }
    keepNewLabels(original);
    // Before the first label, so that a loop around the whole body does not enter again.
    code.insert(entry(entry));
    if (isInitializer) {
      closeInitializer();
    }
  }

  /**
   * Writes its place onto each label. No hash table: every object of a worker has the same identity
   * hash, so a table of the nodes of a long method would be searched from end to end.
   */
  private static void number(AbstractInsnNode[] nodes) {
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i] instanceof LabelNode) {
        ((LabelNode) nodes[i]).getLabel().info = i;
      }
    }
  }

  private static int place(LabelNode label) {
    return (Integer) label.getLabel().info;
  }

  private InsnList entry(int probe) {
    InsnList added = new InsnList();
    added.add(push(probe));
    added.add(call(isInitializer ? "enterInitializer" : "enter", "(I)V"));
    if (keptDepth >= 0) {
      added.add(new FieldInsnNode(Opcodes.GETSTATIC, PROBES, "depth", "I"));
      added.add(new VarInsnNode(Opcodes.ISTORE, keptDepth));
    }
    return added;
  }

  private void restoreDepth(AbstractInsnNode before) {
    code.insertBefore(before, new VarInsnNode(Opcodes.ILOAD, keptDepth));
    code.insertBefore(before, new FieldInsnNode(Opcodes.PUTSTATIC, PROBES, "depth", "I"));
  }

  private void atInstruction(AbstractInsnNode node, int at) {
    int opcode = node.getOpcode();
    if (node instanceof JumpInsnNode) {
      JumpInsnNode jump = (JumpInsnNode) node;
      if (opcode != Opcodes.GOTO && opcode != Opcodes.JSR) {
        code.insertBefore(node, jumpProbe(opcode, plan.bits(at), next));
        next += 2;
      }
      burnIfBackward(node, at, jump.label);
    } else if (node instanceof TableSwitchInsnNode) {
      TableSwitchInsnNode table = (TableSwitchInsnNode) node;
      InsnList added = new InsnList();
      added.add(new InsnNode(Opcodes.DUP));
      added.add(push(table.min));
      added.add(push(table.max));
      added.add(push(next));
      added.add(jump("table", "(IIII)V"));
      code.insertBefore(node, added);
      next += table.labels.size() + 1;
      burnIfAnyBackward(node, at);
    } else if (node instanceof LookupSwitchInsnNode) {
      LookupSwitchInsnNode lookup = (LookupSwitchInsnNode) node;
      int[] keys = lookup.keys.stream().mapToInt(Integer::intValue).toArray();
      InsnList added = new InsnList();
      added.add(new InsnNode(Opcodes.DUP));
      added.add(push(Jumps.addSwitch(keys, plan.texts(at))));
      added.add(push(next));
      added.add(jump("lookup", "(III)V"));
      code.insertBefore(node, added);
      next += keys.length + 1;
      burnIfAnyBackward(node, at);
    } else if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
      code.insertBefore(node, push(next++));
      code.insertBefore(node, call("hit", "(I)V"));
      code.insertBefore(node, call(isInitializer ? "leaveInitializer" : "leave", "()V"));
    }
  }

  private static InsnList jumpProbe(int opcode, int bits, int probe) {
    InsnList added = new InsnList();
    boolean isReference =
        opcode >= Opcodes.IFNULL || opcode == Opcodes.IF_ACMPEQ || opcode == Opcodes.IF_ACMPNE;
    boolean isOne = opcode <= Opcodes.IFLE || opcode >= Opcodes.IFNULL;
    String type = isReference ? "Ljava/lang/Object;" : "I";
    added.add(new InsnNode(isOne ? Opcodes.DUP : Opcodes.DUP2));
    added.add(push(opcode | bits));
    added.add(push(probe));
    added.add(jump("jump", "(" + type + (isOne ? "" : type) + "II)V"));
    return added;
  }

  private void burnIfAnyBackward(AbstractInsnNode node, int at) {
    for (LabelNode label : cases(node)) {
      if (burnIfBackward(node, at, label)) {
        return;
      }
    }
  }

  private boolean burnIfBackward(AbstractInsnNode node, int at, LabelNode target) {
    if (isInitializer || place(target) > at) {
      return false;
    }
    code.insertBefore(node, call("burn", "()V"));
    return true;
  }

  /** Frames see the variable that keeps the depth. */
  private void widen(FrameNode frame) {
    if (keptDepth < 0) {
      return;
    }
    List<Object> locals = new ArrayList<>(frame.local);
    int size = 0;
    for (Object local : locals) {
      size += local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1;
    }
    for (; size < keptDepth; size++) {
      locals.add(Opcodes.TOP);
    }
    locals.add(Opcodes.INTEGER);
    frame.local = locals;
  }

  /**
   * A frame names an object not yet initialised by the place of its {@code new}. The label there
   * may now stand before a probe, so such frames get a label of their own, right before the {@code
   * new}.
   */
  private void keepNewLabels(AbstractInsnNode[] original) {
    Map<Integer, LabelNode> exact = new HashMap<>();
    for (AbstractInsnNode node : original) {
      if (node instanceof FrameNode) {
        FrameNode frame = (FrameNode) node;
        frame.local = exact(frame.local, exact);
        frame.stack = exact(frame.stack, exact);
      }
    }
  }

  private List<Object> exact(List<Object> types, Map<Integer, LabelNode> exact) {
    if (types == null || types.stream().noneMatch(type -> type instanceof LabelNode)) {
      return types;
    }
    List<Object> changed = new ArrayList<>(types);
    for (int i = 0; i < changed.size(); i++) {
      if (changed.get(i) instanceof LabelNode) {
        LabelNode label = (LabelNode) changed.get(i);
        changed.set(i, exact.computeIfAbsent(place(label), place -> beforeNew(label)));
      }
    }
    return changed;
  }

  private LabelNode beforeNew(LabelNode label) {
    AbstractInsnNode node = label;
    while (node.getOpcode() != Opcodes.NEW) {
      node = node.getNext();
    }
    LabelNode exact = new LabelNode();
    code.insertBefore(node, exact);
    return exact;
  }

  private void closeInitializer() {
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    AbstractInsnNode first = code.getFirst().getNext(); // after the probe's number, its call
    code.insert(first, start);
    code.add(end);
    if (majorVersion >= FRAMES_SINCE) {
      code.add(
          new FrameNode(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
    }
    code.add(call("leaveInitializer", "()V"));
    code.add(new InsnNode(Opcodes.ATHROW));
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
  }

  /** Where a switch may lead. */
  static List<LabelNode> cases(AbstractInsnNode node) {
    List<LabelNode> cases = Collections.emptyList();
    if (node instanceof TableSwitchInsnNode) {
      cases = new ArrayList<>(((TableSwitchInsnNode) node).labels);
      cases.add(((TableSwitchInsnNode) node).dflt);
    } else if (node instanceof LookupSwitchInsnNode) {
      cases = new ArrayList<>(((LookupSwitchInsnNode) node).labels);
      cases.add(((LookupSwitchInsnNode) node).dflt);
    }
    return cases;
  }

  static AbstractInsnNode push(int value) {
    if (value >= -1 && value <= 5) {
      return new InsnNode(Opcodes.ICONST_0 + value);
    }
    if (value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE) {
      return new IntInsnNode(Opcodes.BIPUSH, value);
    }
    if (value >= Short.MIN_VALUE && value <= Short.MAX_VALUE) {
      return new IntInsnNode(Opcodes.SIPUSH, value);
    }
    return new LdcInsnNode(value);
  }

  private static MethodInsnNode call(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, PROBES, name, descriptor, false);
  }

  private static MethodInsnNode jump(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, JUMPS, name, descriptor, false);
  }
}
