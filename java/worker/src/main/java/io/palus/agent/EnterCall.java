package io.palus.agent;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The code at a method's entry that asks {@link CallRecorder} whether the call is recorded, and
 * leaves its frame or null on the stack.
 */
final class EnterCall {
  private static final String RECORDER = ClassRewriter.AGENT + "CallRecorder";
  private static final String METHOD = ClassRewriter.AGENT + "MethodInfo";
  private static final String OBJECT = "Ljava/lang/Object;";

  private final String owner;
  private final Type[] arguments;
  private final boolean isStatic;
  private final boolean isConstructor;
  private final boolean tellsState;

  EnterCall(
      String owner, Type[] arguments, boolean isStatic, boolean isConstructor, boolean tellsState) {
    this.owner = owner;
    this.arguments = arguments;
    this.isStatic = isStatic;
    this.isConstructor = isConstructor;
    this.tellsState = tellsState;
  }

  /** Adds it; it goes to the body at once, with an empty stack, where nobody needs to be asked. */
  void add(InsnList code, int number, LabelNode body) {
    List<Integer> followable = followable();
    if (followable.isEmpty() && (tellsState || isStatic)) {
      addShortCut(code, number, body);
    }
    code.add(
        isStatic || isConstructor
            ? new InsnNode(Opcodes.ACONST_NULL)
            : new VarInsnNode(Opcodes.ALOAD, 0));
    addEnter(code, followable, number);
  }

  /**
   * Goes to the body where nothing of the receiver is recorded, or nothing more of a static method:
   * by one look, without a call, for most calls of a program are such.
   */
  private void addShortCut(InsnList code, int number, LabelNode body) {
    if (isStatic) {
      code.add(new FieldInsnNode(Opcodes.GETSTATIC, METHOD, "isDone", "[Z"));
      code.add(new LdcInsnNode(number));
      code.add(new InsnNode(Opcodes.BALOAD));
      code.add(new JumpInsnNode(Opcodes.IFNE, body));
      return;
    }
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    code.add(new FieldInsnNode(Opcodes.GETFIELD, owner, MemberWriter.STATE, "J"));
    code.add(new InsnNode(Opcodes.LCONST_0));
    code.add(new InsnNode(Opcodes.LCMP));
    code.add(new JumpInsnNode(Opcodes.IFLT, body));
  }

  /** Local variables of the arguments that may be followed objects. */
  private List<Integer> followable() {
    List<Integer> locals = new ArrayList<>();
    int local = isStatic ? 0 : 1;
    for (Type argument : arguments) {
      if (isFollowable(argument)) {
        locals.add(local);
      }
      local += argument.getSize();
    }
    return locals;
  }

  /** Hands receiver and such arguments to the decision whether to record. */
  private void addEnter(InsnList code, List<Integer> locals, int number) {
    StringBuilder types = new StringBuilder("(").append(OBJECT);
    if (tellsState) {
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
      // Of this very class, and read directly: nobody can stand between.
      code.add(new FieldInsnNode(Opcodes.GETFIELD, owner, MemberWriter.STATE, "J"));
      types.append('J');
    }
    if (locals.size() <= 2) {
      for (int each : locals) {
        code.add(new VarInsnNode(Opcodes.ALOAD, each));
        types.append(OBJECT);
      }
    } else {
      types.append("[").append(OBJECT);
      code.add(new IntInsnNode(Opcodes.SIPUSH, locals.size()));
      code.add(new TypeInsnNode(Opcodes.ANEWARRAY, "java/lang/Object"));
      for (int i = 0; i < locals.size(); i++) {
        code.add(new InsnNode(Opcodes.DUP));
        code.add(new IntInsnNode(Opcodes.SIPUSH, i));
        code.add(new VarInsnNode(Opcodes.ALOAD, locals.get(i)));
        code.add(new InsnNode(Opcodes.AASTORE));
      }
    }
    code.add(new LdcInsnNode(number));
    types.append("I)L").append(ClassRewriter.AGENT).append("CallFrame;");
    code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, RECORDER, "enter", types.toString(), false));
  }

  private static boolean isFollowable(Type type) {
    if (type.getSort() != Type.OBJECT) {
      return false;
    }
    switch (type.getInternalName()) {
      case "java/lang/String":
      case "java/lang/Integer":
      case "java/lang/Long":
      case "java/lang/Boolean":
      case "java/lang/Character":
      case "java/lang/Class":
        return false;
      default:
        return true;
    }
  }
}
