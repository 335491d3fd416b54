package io.palus.worker.instrument;

import io.palus.wire.Kinds.Operator;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A call that its receiver, or one of its arguments, may take the place of: then nothing is called.
 *
 * <p>Of a call that changes nothing it is told whether what it gives is the same; of any other,
 * that leaving it out makes a difference.
 */
final class CallMutants {
  private static final String CALLS = "io/palus/worker/runtime/ReplacedCalls";

  /** The place of the receiver among the arguments. */
  private static final int RECEIVER = -1;

  private final MethodNode method;
  private final MethodInsnNode call;
  private final Type[] arguments;
  private final Type result;
  private final boolean isPlain;

  CallMutants(MethodNode method, MethodInsnNode call) {
    this.method = method;
    this.call = call;
    this.arguments = Type.getArgumentTypes(call.desc);
    this.result = Type.getReturnType(call.desc);
    this.isPlain = PlainCalls.has(call.owner, call.name);
  }

  /** The last argument of the type of the result; -1 for none. */
  static int replacing(String descriptor) {
    Type[] arguments = Type.getArgumentTypes(descriptor);
    int last = arguments.length - 1;
    while (last >= 0 && !arguments[last].equals(Type.getReturnType(descriptor))) {
      last--;
    }
    return last;
  }

  void insert(MutantSite site, int first, KnownFrames frames, int index) {
    LabelNode over = new LabelNode();
    InsnList code = new InsnList();
    InsnList behind = new InsnList();
    int mutant = first - 1;
    for (Operator operator : site.operators) {
      mutant++;
      int kept = operator == Operator.NAKED_RECEIVER ? RECEIVER : replacing(call.desc);
      if (kept == RECEIVER && operator != Operator.NAKED_RECEIVER) {
        continue; // a guard gives it an argument of another type
      }
      LabelNode called = new LabelNode();
      ask(code, kept, mutant);
      code.add(new JumpInsnNode(Opcodes.IFEQ, called));
      leave(code, kept);
      code.add(new JumpInsnNode(Opcodes.GOTO, over));
      code.add(called);
      frames.addBefore(code, index);
      code.add(new InsnNode(Opcodes.NOP)); // the next frame is of another place
      if (isPlain) {
        addCopy(behind, result);
        behind.add(ProbeInserter.push(mutant));
        behind.add(ours("gave", "(Ljava/lang/Object;I)V"));
      }
    }
    behind.add(over);
    frames.addAfter(behind, index);
    behind.add(new InsnNode(Opcodes.NOP));
    method.instructions.insertBefore(call, code);
    method.instructions.insert(call, behind);
  }

  /** Leaves the stack as it is, with an answer on it. */
  private void ask(InsnList code, int kept, int mutant) {
    if (!isPlain) {
      code.add(ProbeInserter.push(mutant));
      code.add(MutantInserter.call("omits", "(I)Z"));
      return;
    }
    int[] variables = new int[arguments.length];
    for (int i = arguments.length - 1; i > kept; i--) {
      variables[i] = variable(arguments[i]);
      code.add(new VarInsnNode(arguments[i].getOpcode(Opcodes.ISTORE), variables[i]));
    }
    addCopy(code, kept == RECEIVER ? Type.getObjectType(call.owner) : arguments[kept]);
    code.add(ProbeInserter.push(mutant));
    code.add(ours("omits", "(Ljava/lang/Object;I)Z"));
    if (kept == arguments.length - 1) {
      return;
    }
    int answer = variable(Type.BOOLEAN_TYPE);
    code.add(new VarInsnNode(Opcodes.ISTORE, answer));
    for (int i = kept + 1; i < arguments.length; i++) {
      code.add(new VarInsnNode(arguments[i].getOpcode(Opcodes.ILOAD), variables[i]));
    }
    code.add(new VarInsnNode(Opcodes.ILOAD, answer));
  }

  /** Of receiver and arguments, one stays on the stack. */
  private void leave(InsnList code, int kept) {
    for (int i = arguments.length - 1; i > kept; i--) {
      pop(code, arguments[i]);
    }
    if (kept == RECEIVER) {
      if (!call.owner.equals(result.getInternalName())) {
        code.add(new TypeInsnNode(Opcodes.CHECKCAST, result.getInternalName()));
      }
      return;
    }
    int variable = variable(result);
    code.add(new VarInsnNode(result.getOpcode(Opcodes.ISTORE), variable));
    for (int i = kept - 1; i >= 0; i--) {
      pop(code, arguments[i]);
    }
    if (call.getOpcode() != Opcodes.INVOKESTATIC) {
      code.add(new InsnNode(Opcodes.POP));
    }
    code.add(new VarInsnNode(result.getOpcode(Opcodes.ILOAD), variable));
  }

  /** Lives in a straight line, so no frame knows it. */
  private int variable(Type type) {
    int variable = method.maxLocals;
    method.maxLocals += type.getSize();
    return variable;
  }

  /** What is on top of the stack once more, as an object. */
  private static void addCopy(InsnList code, Type type) {
    code.add(new InsnNode(type.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP));
    String owner = "Integer";
    String primitive = "I";
    switch (type.getSort()) {
      case Type.LONG:
        owner = "Long";
        primitive = "J";
        break;
      case Type.FLOAT:
        owner = "Float";
        primitive = "F";
        break;
      case Type.DOUBLE:
        owner = "Double";
        primitive = "D";
        break;
      case Type.OBJECT:
      case Type.ARRAY:
        return;
      default:
        break;
    }
    String boxed = "java/lang/" + owner;
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKESTATIC, boxed, "valueOf", "(" + primitive + ")L" + boxed + ";", false));
  }

  static void pop(InsnList code, Type type) {
    code.add(new InsnNode(type.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP));
  }

  private static MethodInsnNode ours(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, CALLS, name, descriptor, false);
  }
}
