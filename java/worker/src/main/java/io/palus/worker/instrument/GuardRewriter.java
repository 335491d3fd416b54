package io.palus.worker.instrument;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Puts guards before the calls of one method. Code is added in straight lines and added variables
 * live only there, so no stack map frame changes.
 */
public final class GuardRewriter {
  private static final String GUARD = GuardRules.GUARD;
  private static final String PATHS =
      "Ljava/lang/String; Ljava/io/File; Ljava/nio/file/Path; Ljava/lang/Object;";

  private static final String EXECUTOR = "Ljava/util/concurrent/Executor;";
  private static final String TWO = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/String;)V";

  private final MethodNode method;

  /** Calls of constructors after which the object that they made is on the stack. */
  private final Set<MethodInsnNode> making = new HashSet<>();

  private GuardRewriter(MethodNode method) {
    this.method = method;
  }

  /**
   * Rewrites a method in place; its {@code maxLocals} must be right.
   *
   * @param method the method
   */
  public static void rewrite(MethodNode method) {
    GuardRewriter rewriter = new GuardRewriter(method);
    List<MethodInsnNode> calls = new ArrayList<>();
    Deque<TypeInsnNode> made = new ArrayDeque<>();
    for (AbstractInsnNode node = method.instructions.getFirst();
        node != null;
        node = node.getNext()) {
      if (node.getOpcode() == Opcodes.NEW) {
        made.push((TypeInsnNode) node);
      } else if (node instanceof MethodInsnNode) {
        MethodInsnNode call = (MethodInsnNode) node;
        calls.add(call);
        TypeInsnNode last = made.peek();
        if (last != null && call.name.equals("<init>") && last.desc.equals(call.owner)) {
          made.pop();
          if (last.getNext().getOpcode() == Opcodes.DUP) {
            rewriter.making.add(call);
          }
        }
      }
    }
    for (MethodInsnNode call : calls) {
      rewriter.guard(call);
    }
  }

  private void guard(MethodInsnNode call) {
    GuardRule rule = GuardRules.find(call.owner, call.name, call.desc);
    if (rule == null) {
      guardSubclass(call);
      return;
    }
    InsnList code = new InsnList();
    switch (rule.kind) {
      case DENY:
        code.add(new LdcInsnNode(rule.text));
        code.add(ours(GUARD, "deny", "(Ljava/lang/String;)V"));
        break;
      case BEFORE:
        code.add(ours(rule.owner, rule.name, rule.descriptor));
        break;
      case REPLACE:
        if (call.getOpcode() != Opcodes.INVOKESPECIAL) {
          replace(call, rule);
        }
        return;
      case MADE:
        if (making.contains(call)) {
          code.add(new InsnNode(Opcodes.DUP));
          code.add(ours(rule.owner, rule.name, rule.descriptor));
          method.instructions.insert(call, code);
        }
        return;
      case ARGUMENT:
        code.add(ours(rule.owner, rule.name, rule.descriptor));
        String added = Type.getReturnType(rule.descriptor).getDescriptor();
        String taken = rule.descriptor.substring(1, rule.descriptor.indexOf(')') + 1);
        call.desc = call.desc.replace(taken, added + ")");
        break;
      default:
        withArguments(call, rule, code);
        break;
    }
    method.instructions.insertBefore(call, code);
  }

  private void replace(MethodInsnNode call, GuardRule rule) {
    MethodInsnNode instead = ours(rule.owner, rule.name, rule.descriptor);
    method.instructions.set(call, instead);
    Type wanted = Type.getReturnType(call.desc);
    if (!wanted.equals(Type.getReturnType(rule.descriptor))) {
      // A class that not every JDK has, so that ours cannot name it.
      TypeInsnNode cast = new TypeInsnNode(Opcodes.CHECKCAST, wanted.getInternalName());
      method.instructions.insert(instead, cast);
    }
  }

  /** A call on a class of the subject's that may extend one of the JDK's. */
  private void guardSubclass(MethodInsnNode call) {
    if (call.getOpcode() == Opcodes.INVOKESTATIC) {
      return;
    }
    InsnList code = new InsnList();
    if (!GuardRules.isOnlyHarm()
        && call.name.startsWith("schedule")
        && call.desc.startsWith("(Ljava/util/TimerTask;")) {
      method.instructions.insertBefore(call, ours(GuardRules.TIMERS, "fires", "()V"));
      return;
    }
    boolean isOnlyHarm = GuardRules.isOnlyHarm();
    if (!isOnlyHarm && call.name.equals("start") && call.desc.equals("()V")) {
      code.add(new InsnNode(Opcodes.DUP));
      code.add(ours(GUARD, "start", "(Ljava/lang/Object;)V"));
    } else if (!isOnlyHarm && isWait(call)) {
      method.instructions.set(call, ours(GUARD, "waitFor", "(Ljava/lang/Object;)V"));
      return;
    } else if (FileRules.isOfFile(call.name, call.desc)) {
      GuardRule rule = GuardRules.find(FileRules.FILE, call.name, call.desc);
      if (rule.kind != GuardRule.Kind.REPLACE) { // who knows whether it is a file
        withArguments(call, rule, code);
      }
    }
    method.instructions.insertBefore(call, code);
  }

  private static boolean isWait(MethodInsnNode call) {
    return call.name.equals("wait")
        && call.desc.equals("()V")
        && call.getOpcode() == Opcodes.INVOKEVIRTUAL;
  }

  /** Keeps the arguments in variables, hands some to the guard, and loads them again. */
  private void withArguments(MethodInsnNode call, GuardRule rule, InsnList code) {
    Type[] types = Type.getArgumentTypes(call.desc);
    if (rule.takesPaths()
        && rule.indexes[0] != GuardRule.RECEIVER
        && (rule.indexes[0] >= types.length || !isPath(types[rule.indexes[0]]))) {
      return; // an overload that takes no path
    }
    boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
    boolean keepsReceiver = !isStatic && !call.name.equals("<init>");
    int[] variables = new int[types.length];
    int next = method.maxLocals;
    for (int i = types.length - 1; i >= 0; i--) {
      variables[i] = next;
      code.add(new VarInsnNode(types[i].getOpcode(Opcodes.ISTORE), next));
      next += types[i].getSize();
    }
    int receiver = next;
    if (keepsReceiver) {
      code.add(new VarInsnNode(Opcodes.ASTORE, next++));
    }
    method.maxLocals = next;
    if (rule.kind == GuardRule.Kind.PATH && FileRules.isInherited(call)) {
      code.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      boolean hasOther = rule.indexes.length > 1;
      code.add(hasOther ? new VarInsnNode(Opcodes.ALOAD, variables[0]) : nothing());
      code.add(new LdcInsnNode(rule.text));
      code.add(ours(GUARD, "file", TWO));
    } else {
      check(rule, types, variables, receiver, code);
    }
    if (keepsReceiver) {
      code.add(new VarInsnNode(Opcodes.ALOAD, receiver));
    }
    for (int i = 0; i < types.length; i++) {
      code.add(new VarInsnNode(types[i].getOpcode(Opcodes.ILOAD), variables[i]));
    }
  }

  private static MethodInsnNode ofTwo(GuardRule.Kind kind) {
    if (kind == GuardRule.Kind.PATH_LINK) {
      return ours(GuardRules.LINKS, "made", TWO);
    }
    return ours(GUARD, kind == GuardRule.Kind.PATH_MODE ? "pathMode" : "pathOptions", TWO);
  }

  private static void check(
      GuardRule rule, Type[] types, int[] variables, int receiver, InsnList code) {
    String one = "(Ljava/lang/Object;Ljava/lang/String;)V";
    switch (rule.kind) {
      case PATH_MODE:
      case PATH_OPTIONS:
      case PATH_LINK:
        code.add(new VarInsnNode(Opcodes.ALOAD, variables[0]));
        code.add(new VarInsnNode(Opcodes.ALOAD, variables[1]));
        code.add(new LdcInsnNode(rule.text));
        code.add(ofTwo(rule.kind));
        return;
      case REFLECTION:
        boolean isOfReceiver = rule.indexes[0] == GuardRule.RECEIVER;
        code.add(new VarInsnNode(Opcodes.ALOAD, isOfReceiver ? receiver : variables[0]));
        code.add(ours(GuardRules.REFLECTIONS, "of", "(Ljava/lang/Object;)V"));
        return;
      case FIELD_WRITE:
      case FIELD_READ:
        boolean isField = rule.indexes[0] == GuardRule.RECEIVER;
        code.add(new VarInsnNode(Opcodes.ALOAD, isField ? receiver : variables[0]));
        String does = rule.kind == GuardRule.Kind.FIELD_WRITE ? "writes" : "reads";
        code.add(ours(GuardRules.FIELDS, does, "(Ljava/lang/Object;)V"));
        return;
      case FIELD_LOOKUP:
        code.add(new VarInsnNode(Opcodes.ALOAD, variables[0]));
        code.add(new VarInsnNode(Opcodes.ALOAD, variables[1]));
        code.add(ours(GuardRules.FIELDS, "lookUp", "(Ljava/lang/Object;Ljava/lang/Object;)V"));
        return;
      case MEMORY:
        int base = rule.indexes[0];
        if (base < types.length && types[base].getSort() == Type.OBJECT) {
          code.add(new VarInsnNode(Opcodes.ALOAD, variables[base]));
          code.add(ours(GuardRules.FIELDS, "memory", "(Ljava/lang/Object;)V"));
        } else {
          code.add(ours(GuardRules.FIELDS, "address", "()V"));
        }
        return;
      case HANDS_OVER:
        int last = types.length - 1;
        if (rule.indexes[0] == GuardRule.RECEIVER) {
          code.add(new VarInsnNode(Opcodes.ALOAD, receiver));
        } else if (last >= 0 && types[last].getDescriptor().equals(EXECUTOR)) {
          code.add(new VarInsnNode(Opcodes.ALOAD, variables[last]));
        } else {
          code.add(ours(GUARD, "startsThread", "()V")); // in the pool that all share
          return;
        }
        code.add(ours(GuardRules.HAND_OVERS, "to", "(Ljava/lang/Object;)V"));
        return;
      case STARTS:
        code.add(new VarInsnNode(Opcodes.ALOAD, receiver));
        code.add(ours(GuardRules.HAND_OVERS, "starts", "(Ljava/lang/Object;)V"));
        return;
      case LOOKUP:
        code.add(new VarInsnNode(Opcodes.ALOAD, variables[0]));
        code.add(new VarInsnNode(Opcodes.ALOAD, variables[1]));
        code.add(ours(GuardRules.REFLECTIONS, "lookUp", "(Ljava/lang/Object;Ljava/lang/Object;)V"));
        return;
      case LOOK:
      case LIST:
        int place = rule.indexes[0];
        int file = place == GuardRule.RECEIVER ? receiver : variables[place];
        code.add(new VarInsnNode(Opcodes.ALOAD, file));
        String asks = rule.kind == GuardRule.Kind.LOOK ? "asks" : "lists";
        code.add(ours(GuardRules.MISSING, asks, "(Ljava/lang/Object;)V"));
        return;
      case HOLDS:
        code.add(new VarInsnNode(Opcodes.ALOAD, variables[0]));
        code.add(ours(GuardRules.REFERENTS, "hold", "(Ljava/lang/Object;)V"));
        return;
      case HOST:
        code.add(new VarInsnNode(Opcodes.ALOAD, variables[0]));
        code.add(new LdcInsnNode(rule.text));
        code.add(ours(GUARD, "host", one));
        return;
      case OF_JDK:
        code.add(new VarInsnNode(Opcodes.ALOAD, receiver));
        code.add(new LdcInsnNode(rule.text));
        code.add(ours(GuardRules.CHANGES, "ofJdk", one));
        return;
      case AT_EXIT:
        code.add(new VarInsnNode(Opcodes.ALOAD, variables[0]));
        code.add(new LdcInsnNode(rule.text));
        code.add(ours(GuardRules.LOG_HANDLERS, "added", one));
        return;
      case WAIT:
        code.add(new VarInsnNode(Opcodes.ALOAD, receiver));
        code.add(new LdcInsnNode(rule.text));
        code.add(ours(GUARD, "mayWait", one));
        return;
      default:
        for (int index : rule.indexes) {
          if (index != GuardRule.RECEIVER && (index >= types.length || !isPath(types[index]))) {
            continue;
          }
          int variable = index == GuardRule.RECEIVER ? receiver : variables[index];
          code.add(new VarInsnNode(Opcodes.ALOAD, variable));
          code.add(new LdcInsnNode(rule.text));
          code.add(ours(GUARD, "path", one));
        }
        return;
    }
  }

  private static InsnNode nothing() {
    return new InsnNode(Opcodes.ACONST_NULL);
  }

  private static boolean isPath(Type type) {
    return type.getSort() == Type.OBJECT && PATHS.contains(type.getDescriptor());
  }

  private static MethodInsnNode ours(String owner, String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
  }
}
