package io.palus.worker.instrument;

import io.palus.worker.runtime.Comparison;
import io.palus.worker.runtime.Flags;
import io.palus.worker.runtime.Jumps;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * What makes the ints and booleans that one method jumps on, stores or returns, as far as a look at
 * the neighbouring instructions tells, and what {@link Flags} is to hear of it.
 *
 * <p>A <em>consumer</em> is a jump on one int, the return of a boolean, or the store of a boolean
 * variable that is jumped on. Its <em>producers</em> are the instructions that push what it takes:
 * two constants after a condition, a comparison, a call, the load of a variable.
 */
final class FlagPlan {
  private final AbstractInsnNode[] code;
  private final FlowBack flow;
  private final boolean returnsBoolean;
  private final int firstVariable;

  /** By place. */
  private final int[] bits;

  private final InsnList[] before;
  private final InsnList[] after;

  /** Boolean variables by slot; the number that {@link Flags} has for them. */
  private final Map<Integer, Integer> variables = new TreeMap<>();

  FlagPlan(MethodNode method, AbstractInsnNode[] code) {
    this.code = code;
    this.flow = new FlowBack(method, code);
    this.returnsBoolean = method.desc.endsWith(")Z");
    boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    // The size counts a receiver in any case.
    this.firstVariable = (Type.getArgumentsAndReturnSizes(method.desc) >> 2) - (isStatic ? 1 : 0);
    this.bits = new int[code.length];
    this.before = new InsnList[code.length];
    this.after = new InsnList[code.length];
    findVariables();
    for (int at = 0; at < code.length; at++) {
      consume(at);
    }
  }

  /** What goes beside the opcode of a jump. */
  int bits(int at) {
    return bits[at];
  }

  /** The texts of a switch over Strings; null for other switches. */
  String[] texts(int at) {
    int called = flow.previous(at);
    if (called < 0 || !isCall(called, Comparison.HASH_CODE)) {
      return null;
    }
    List<LabelNode> labels = ((LookupSwitchInsnNode) code[at]).labels;
    String[] texts = new String[labels.size()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = firstText(FlowBack.place(labels.get(i)));
    }
    return texts;
  }

  /** In {@code load; ldc; equals}, where a case of a switch over Strings begins. */
  private String firstText(int label) {
    int load = flow.next(label);
    int constant = load < 0 ? -1 : flow.next(load);
    boolean isText =
        constant >= 0
            && code[load].getOpcode() == Opcodes.ALOAD
            && code[constant] instanceof LdcInsnNode
            && ((LdcInsnNode) code[constant]).cst instanceof String;
    return isText ? (String) ((LdcInsnNode) code[constant]).cst : null;
  }

  /** Puts what is planned around an instruction. */
  void insert(InsnList into, int at) {
    if (before[at] != null) {
      into.insertBefore(code[at], before[at]);
    }
    if (after[at] != null) {
      into.insert(code[at], after[at]);
    }
    if ((bits[at] & Jumps.USES) != 0 && isComparison(code[at].getOpcode())) {
      into.set(code[at], FlagCalls.call("compare", comparison(code[at].getOpcode())));
    }
  }

  private static boolean isComparison(int opcode) {
    return opcode >= Opcodes.LCMP && opcode <= Opcodes.DCMPG;
  }

  private static String comparison(int opcode) {
    return opcode == Opcodes.LCMP ? "(JJ)I" : opcode <= Opcodes.FCMPG ? "(FFI)I" : "(DDI)I";
  }

  /** Variables, not parameters, that some store makes known and some jump or return uses. */
  private void findVariables() {
    BitSet made = new BitSet();
    BitSet used = new BitSet();
    BitSet counted = new BitSet();
    for (int at = 0; at < code.length; at++) {
      int opcode = code[at].getOpcode();
      if (opcode == Opcodes.ISTORE) {
        List<Integer> producers = flow.producers(at);
        if (isInformative(producers)) {
          made.set(((VarInsnNode) code[at]).var);
        }
      } else if (opcode == Opcodes.IINC) {
        counted.set(((IincInsnNode) code[at]).var);
      } else if (isFlagConsumer(opcode)) {
        List<Integer> producers = flow.producers(at);
        for (int producer : producers) {
          if (code[producer].getOpcode() == Opcodes.ILOAD) {
            used.set(((VarInsnNode) code[producer]).var);
          }
        }
      }
    }
    made.and(used);
    made.andNot(counted);
    made.clear(0, Math.min(firstVariable, made.length()));
    made.stream().forEach(slot -> variables.put(slot, Flags.addVariable()));
  }

  private boolean isFlagConsumer(int opcode) {
    return opcode == Opcodes.IFEQ
        || opcode == Opcodes.IFNE
        || opcode == Opcodes.IRETURN && returnsBoolean;
  }

  private void consume(int at) {
    int opcode = code[at].getOpcode();
    if (code[at] instanceof MethodInsnNode && FlagCalls.looksUp((MethodInsnNode) code[at])) {
      addBefore(at, FlagCalls.announceLookUp());
    } else if (opcode == Opcodes.ISTORE) {
      Integer variable = variables.get(((VarInsnNode) code[at]).var);
      if (variable != null) {
        prepare(at, flow.producers(at));
        addBefore(at, new InsnNode(Opcodes.DUP));
        addBefore(at, ProbeInserter.push(variable));
        addBefore(at, FlagCalls.call("keep", "(II)V"));
      }
    } else if (opcode == Opcodes.IRETURN && returnsBoolean) {
      prepare(at, flow.producers(at));
    } else if (opcode >= Opcodes.IFEQ && opcode <= Opcodes.IFLE) {
      jump(at, flow.producers(at), opcode <= Opcodes.IFNE);
    } else if (opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ICMPLE) {
      int constant = flow.previous(at);
      int called = constant < 0 ? -1 : flow.previous(constant);
      if (called >= 0
          && FlowBack.isSmallConstant(code[constant])
          && (isCall(called, Comparison.INDEX_OF) || isCall(called, Comparison.TEXT_ORDER))) {
        addBefore(called, FlagCalls.announce((MethodInsnNode) code[called]));
        bits[at] |= Jumps.USES;
      }
    } else if (opcode == Opcodes.LOOKUPSWITCH && texts(at) != null) {
      int called = flow.previous(at);
      addBefore(called, FlagCalls.announce((MethodInsnNode) code[called]));
    }
  }

  private void jump(int at, List<Integer> producers, boolean isEquality) {
    if (producers.size() == 1) {
      int producer = producers.get(0);
      int opcode = code[producer].getOpcode();
      if (isComparison(opcode)) {
        if (opcode != Opcodes.LCMP) {
          boolean isLess = opcode == Opcodes.FCMPL || opcode == Opcodes.DCMPL;
          addBefore(producer, new InsnNode(isLess ? Opcodes.ICONST_M1 : Opcodes.ICONST_1));
        }
        bits[producer] |= Jumps.USES;
        bits[at] |= Jumps.USES;
        return;
      }
      if (isCall(producer, Comparison.INDEX_OF) || isCall(producer, Comparison.TEXT_ORDER)) {
        addBefore(producer, FlagCalls.announce((MethodInsnNode) code[producer]));
        bits[at] |= Jumps.USES;
        return;
      }
    }
    if (!isEquality) {
      return;
    }
    boolean loads = false;
    boolean areFlags = !producers.isEmpty();
    for (int producer : producers) {
      loads |= variable(producer) != null;
      areFlags &= isFlag(producer);
    }
    if (loads || isInformative(producers)) {
      prepare(at, producers);
      bits[at] |= Jumps.USES;
      areFlags = true;
    }
    if (areFlags) {
      bits[at] |= Jumps.IS_FLAG;
    }
  }

  /** Tells of each producer what it pushes. */
  private void prepare(int consumer, List<Integer> producers) {
    if (producers.isEmpty()) {
      addBefore(consumer, FlagCalls.call("forget", "()V"));
    }
    for (int producer : producers) {
      AbstractInsnNode node = code[producer];
      Integer variable = variable(producer);
      if (variable != null) {
        addBefore(producer, ProbeInserter.push(variable));
        addBefore(producer, FlagCalls.call("load", "(I)V"));
      } else if (isCallOfBoolean(producer)) {
        MethodInsnNode call = (MethodInsnNode) node;
        boolean isKnown = FlagCalls.kind(call) != Comparison.PLAIN;
        addBefore(producer, FlagCalls.call("forget", "()V"));
        if (isKnown) {
          addBefore(producer, FlagCalls.announce(call));
        }
      } else if (FlowBack.isBooleanConstant(node)) {
        List<Integer> deciders = flow.deciders(producer);
        if (deciders.isEmpty()) {
          addBefore(producer, FlagCalls.call("forget", "()V"));
        } else {
          deciders.forEach(decider -> bits[decider] |= Jumps.DEFINES);
          addAfter(producer, FlagCalls.call("ready", "()V"));
        }
      } else {
        addAfter(producer, FlagCalls.call("forget", "()V"));
      }
    }
  }

  private boolean isInformative(List<Integer> producers) {
    for (int producer : producers) {
      boolean isDecided =
          FlowBack.isBooleanConstant(code[producer]) && !flow.deciders(producer).isEmpty();
      if (isDecided || isCallOfBoolean(producer)) {
        return true;
      }
    }
    return false;
  }

  private Integer variable(int producer) {
    boolean isLoad = code[producer].getOpcode() == Opcodes.ILOAD;
    return isLoad ? variables.get(((VarInsnNode) code[producer]).var) : null;
  }

  private boolean isCall(int at, int kind) {
    return code[at] instanceof MethodInsnNode && FlagCalls.kind((MethodInsnNode) code[at]) == kind;
  }

  private boolean isCallOfBoolean(int at) {
    return code[at] instanceof MethodInsnNode && ((MethodInsnNode) code[at]).desc.endsWith(")Z");
  }

  private boolean isFlag(int producer) {
    AbstractInsnNode node = code[producer];
    return isCallOfBoolean(producer)
        || node.getOpcode() == Opcodes.INSTANCEOF
        || node instanceof FieldInsnNode && ((FieldInsnNode) node).desc.equals("Z");
  }

  private void addBefore(int at, AbstractInsnNode node) {
    before[at] = before[at] == null ? new InsnList() : before[at];
    before[at].add(node);
  }

  private void addBefore(int at, InsnList nodes) {
    before[at] = before[at] == null ? new InsnList() : before[at];
    before[at].add(nodes);
  }

  private void addAfter(int at, AbstractInsnNode node) {
    after[at] = after[at] == null ? new InsnList() : after[at];
    after[at].add(node);
  }
}
