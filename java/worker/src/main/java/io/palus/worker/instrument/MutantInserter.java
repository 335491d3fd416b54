package io.palus.worker.instrument;

import io.palus.wire.Kinds.Operator;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Puts the mutants of one method into its code, each behind the switch {@code Mutants}. Comes after
 * all other instrumentation, which it leaves as it is.
 *
 * <p>Most of it is in straight lines, so no frame changes. A call that may be left out or replaced,
 * and a null that may be returned, need jumps; their frames are computed from those there are.
 */
final class MutantInserter {
  private static final String MUTANTS = "io/palus/worker/runtime/Mutants";

  private final String owner;
  private final MethodNode method;
  private final int majorVersion;
  private final List<MutantSite> sites;

  private KnownFrames frames;

  MutantInserter(String owner, MethodNode method, int majorVersion, List<MutantSite> sites) {
    this.owner = owner;
    this.method = method;
    this.majorVersion = majorVersion;
    this.sites = sites;
  }

  /**
   * Puts them in.
   *
   * @param first the number of the first
   */
  void insert(int first) {
    frames = new KnownFrames(owner, method, majorVersion, sites);
    int number = first;
    for (int i = 0; i < sites.size(); i++) {
      MutantSite site = sites.get(i);
      if (site.isInCode()) {
        insert(site, i, number);
      }
      number += site.operators.size();
    }
  }

  private void insert(MutantSite site, int index, int mutant) {
    AbstractInsnNode node = site.node;
    switch (site.operators.get(0)) {
      case CONDITIONALS_BOUNDARY:
      case REMOVE_CONDITIONALS:
        jump((JumpInsnNode) node, mutant);
        break;
      case MATH:
        math(node, mutant);
        break;
      case INCREMENTS:
        increment((IincInsnNode) node, mutant);
        break;
      case INVERT_NEGS:
        String type = "IJFD".substring(node.getOpcode() - Opcodes.INEG).substring(0, 1);
        replace(node, pushed(mutant, call("negate", "(" + type + "I)" + type)));
        break;
      case VOID_METHOD_CALLS:
      case NON_VOID_METHOD_CALLS:
        leaveOut((MethodInsnNode) node, site.last, index, mutant);
        break;
      case DATE_BOUNDARY:
        order((MethodInsnNode) node, mutant);
        break;
      case MEMBER_VARIABLE:
        store((FieldInsnNode) node, mutant);
        break;
      case NAKED_RECEIVER:
      case ARGUMENT_PROPAGATION:
        if (frames.has(index)) {
          new CallMutants(method, (MethodInsnNode) node).insert(site, mutant, frames, index);
        }
        break;
      case NULL_RETURNS:
        returnNull(node, index, mutant);
        break;
      default:
        result(site, mutant);
        break;
    }
  }

  /** With the mutant on it always jumps: what the condition guards never runs. */
  private void jump(JumpInsnNode jump, int mutant) {
    int opcode = jump.getOpcode();
    InsnList code = new InsnList();
    boolean isReference =
        opcode >= Opcodes.IFNULL || opcode == Opcodes.IF_ACMPEQ || opcode == Opcodes.IF_ACMPNE;
    int comparison = opcode;
    if (opcode >= Opcodes.IFNULL) {
      code.add(new InsnNode(Opcodes.ACONST_NULL));
      comparison = opcode - Opcodes.IFNULL + Opcodes.IF_ICMPEQ;
    } else if (isReference) {
      comparison = opcode - Opcodes.IF_ACMPEQ + Opcodes.IF_ICMPEQ;
    } else if (opcode <= Opcodes.IFLE) {
      code.add(new InsnNode(Opcodes.ICONST_0));
      comparison = opcode - Opcodes.IFEQ + Opcodes.IF_ICMPEQ;
    }
    String types = isReference ? "Ljava/lang/Object;Ljava/lang/Object;" : "II";
    boolean isLess = comparison == Opcodes.IF_ICMPLT || comparison == Opcodes.IF_ICMPGE;
    boolean isSame = comparison <= Opcodes.IF_ICMPNE;
    String name = isSame ? "same" : isLess ? "less" : "greater";
    // Equal, less and greater jump where it holds; different, not less and not greater where not.
    boolean jumpsWhereTrue =
        comparison == Opcodes.IF_ICMPEQ
            || comparison == Opcodes.IF_ICMPLT
            || comparison == Opcodes.IF_ICMPGT;
    int removed = isSame ? mutant : mutant + 1; // after that of the boundary
    if (isSame) {
      code.add(call(name, "(" + types + ")Z"));
    } else {
      code.add(pushed(mutant, call(name, "(" + types + "I)Z")));
    }
    code.add(pushed(removed, call(jumpsWhereTrue ? "always" : "never", "(ZI)Z")));
    method.instructions.insertBefore(jump, code);
    jump.setOpcode(jumpsWhereTrue ? Opcodes.IFNE : Opcodes.IFEQ);
  }

  /** The stack is date, other date before, and the answer behind. */
  private void order(MethodInsnNode node, int mutant) {
    String objects = "Ljava/lang/Object;Ljava/lang/Object;";
    method.instructions.insertBefore(node, new InsnNode(Opcodes.DUP2));
    method.instructions.insert(node, pushed(mutant, call("order", "(" + objects + "ZI)Z")));
  }

  private void math(AbstractInsnNode node, int mutant) {
    int opcode = node.getOpcode();
    int kind = opcode < Opcodes.ISHL ? (opcode - Opcodes.IADD) % 4 : (opcode - Opcodes.ISHL) % 2;
    String type = "IJFD".substring(kind, kind + 1);
    String right = opcode >= Opcodes.ISHL && opcode <= Opcodes.LUSHR ? "I" : type;
    InsnList code = new InsnList();
    code.add(ProbeInserter.push(opcode));
    code.add(pushed(mutant, call("math", "(" + type + right + "II)" + type)));
    replace(node, code);
  }

  private void increment(IincInsnNode node, int mutant) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(Opcodes.ILOAD, node.var));
    code.add(ProbeInserter.push(node.incr));
    code.add(pushed(mutant, call("increment", "(III)I")));
    code.add(new VarInsnNode(Opcodes.ISTORE, node.var));
    replace(node, code);
  }

  private void leaveOut(MethodInsnNode node, AbstractInsnNode last, int index, int mutant) {
    if (!frames.has(index)) {
      return;
    }
    LabelNode kept = new LabelNode();
    LabelNode over = new LabelNode();
    InsnList code = pushed(mutant, call("omits", "(I)Z"));
    code.add(new JumpInsnNode(Opcodes.IFEQ, kept));
    Type[] arguments = Type.getArgumentTypes(node.desc);
    for (int i = arguments.length - 1; i >= 0; i--) {
      CallMutants.pop(code, arguments[i]);
    }
    if (node.getOpcode() != Opcodes.INVOKESTATIC) {
      code.add(new InsnNode(Opcodes.POP));
    }
    code.add(new JumpInsnNode(Opcodes.GOTO, over));
    code.add(kept);
    frames.addBefore(code, index);
    method.instructions.insertBefore(node, code);
    InsnList behind = new InsnList();
    behind.add(over);
    frames.addAfter(behind, index);
    behind.add(new InsnNode(Opcodes.NOP)); // the next frame is of another place
    method.instructions.insert(last, behind);
  }

  /** Stores what the field holds in place of the value: the stack is object, value. */
  private void store(FieldInsnNode node, int mutant) {
    Type type = Type.getType(node.desc);
    boolean isObject = type.getSort() >= Type.ARRAY;
    boolean isInt = !isObject && type.getOpcode(Opcodes.ILOAD) == Opcodes.ILOAD;
    String taken = isObject ? "Ljava/lang/Object;" : isInt ? "I" : node.desc;
    InsnList code = new InsnList();
    if (type.getSize() == 2) {
      code.add(new InsnNode(Opcodes.DUP2_X1));
      code.add(new InsnNode(Opcodes.POP2));
      code.add(new InsnNode(Opcodes.DUP_X2));
    } else {
      code.add(new InsnNode(Opcodes.SWAP));
      code.add(new InsnNode(Opcodes.DUP_X1));
    }
    code.add(new FieldInsnNode(Opcodes.GETFIELD, node.owner, node.name, node.desc));
    code.add(pushed(mutant, call("stores", "(" + taken + taken + "I)" + taken)));
    if (isObject) {
      code.add(new TypeInsnNode(Opcodes.CHECKCAST, type.getInternalName()));
    }
    method.instructions.insertBefore(node, code);
  }

  private void returnNull(AbstractInsnNode node, int index, int mutant) {
    if (!frames.has(index)) {
      return;
    }
    LabelNode kept = new LabelNode();
    InsnList code = new InsnList();
    code.add(new InsnNode(Opcodes.DUP));
    code.add(pushed(mutant, call("nulls", "(Ljava/lang/Object;I)Z")));
    code.add(new JumpInsnNode(Opcodes.IFEQ, kept));
    code.add(new InsnNode(Opcodes.ACONST_NULL));
    code.add(new InsnNode(Opcodes.ARETURN));
    code.add(kept);
    frames.addBefore(code, index);
    method.instructions.insertBefore(node, code);
  }

  private void result(MutantSite site, int first) {
    Type type = Type.getReturnType(method.desc);
    InsnList code = new InsnList();
    int mutant = first;
    for (Operator operator : site.operators) {
      boolean isTrue = operator == Operator.TRUE_RETURNS;
      if (type.getSort() == Type.OBJECT) {
        boolean isPlain = operator == Operator.EMPTY_RETURNS;
        String name = type.getInternalName();
        code.add(isPlain ? new LdcInsnNode(name) : ProbeInserter.push(isTrue ? 1 : 0));
        String constant = isPlain ? "Ljava/lang/String;" : "Z";
        String descriptor = "(Ljava/lang/Object;" + constant + "I)Ljava/lang/Object;";
        code.add(pushed(mutant, call("returns", descriptor)));
        code.add(new TypeInsnNode(Opcodes.CHECKCAST, name));
      } else if (site.node.getOpcode() == Opcodes.IRETURN) {
        code.add(ProbeInserter.push(isTrue ? 1 : 0));
        code.add(pushed(mutant, call("returns", "(III)I")));
      } else {
        String letter = type.getDescriptor();
        code.add(pushed(mutant, call("returns", "(" + letter + "I)" + letter)));
      }
      mutant++;
    }
    method.instructions.insertBefore(site.node, code);
  }

  private void replace(AbstractInsnNode node, InsnList code) {
    method.instructions.insertBefore(node, code);
    method.instructions.remove(node);
  }

  private static InsnList pushed(int mutant, AbstractInsnNode call) {
    InsnList code = new InsnList();
    code.add(ProbeInserter.push(mutant));
    code.add(call);
    return code;
  }

  static MethodInsnNode call(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, MUTANTS, name, descriptor, false);
  }
}
