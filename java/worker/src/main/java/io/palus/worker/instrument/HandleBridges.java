package io.palus.worker.instrument;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Guards what is called through method handles: a method reference such as {@code File::delete} has
 * no call instruction. Its handle is replaced by one to a method that is added to the class, makes
 * the call, and has the guards of any call.
 */
final class HandleBridges {
  private static final String NAME = "palus$bridge$";
  private static final int SERIALIZABLE = 1;
  private static final int FLAGS = 3;

  private final ClassNode type;
  private final Map<String, Handle> replaced = new LinkedHashMap<>();
  private final List<MethodNode> bridges = new ArrayList<>();

  HandleBridges(ClassNode type) {
    this.type = type;
  }

  /** Replaces the handles of a method. */
  void redirect(MethodNode method) {
    for (AbstractInsnNode node : method.instructions.toArray()) {
      if (node instanceof InvokeDynamicInsnNode) {
        redirect((InvokeDynamicInsnNode) node, method);
      } else if (node instanceof LdcInsnNode) {
        LdcInsnNode constant = (LdcInsnNode) node;
        constant.cst = guarded(constant.cst);
      }
    }
  }

  /** A constant whose handles are guarded: it may be one, or be computed from some, or others. */
  private Object guarded(Object constant) {
    if (constant instanceof Handle) {
      return guarded((Handle) constant, null);
    }
    if (!(constant instanceof ConstantDynamic)) {
      return constant;
    }
    ConstantDynamic computed = (ConstantDynamic) constant;
    Object[] arguments = new Object[computed.getBootstrapMethodArgumentCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = guarded(computed.getBootstrapMethodArgument(i));
    }
    return new ConstantDynamic(
        computed.getName(), computed.getDescriptor(), computed.getBootstrapMethod(), arguments);
  }

  /** Adds the methods that the new handles lead to. */
  void add() {
    type.methods.addAll(bridges);
  }

  private void redirect(InvokeDynamicInsnNode node, MethodNode method) {
    for (int i = 0; i < node.bsmArgs.length; i++) {
      if (!(node.bsmArgs[i] instanceof Handle)) {
        node.bsmArgs[i] = guarded(node.bsmArgs[i]);
        continue;
      }
      Handle handle = (Handle) node.bsmArgs[i];
      Handle guarded = guarded(handle, bound(node, handle));
      if (guarded != handle && isSerializable(node)) {
        // It would be read back by the name of the method that is not there any more.
        InsnList denial = new InsnList();
        denial.add(new LdcInsnNode("a serializable reference to " + handle.getName()));
        String text = "(Ljava/lang/String;)V";
        denial.add(new MethodInsnNode(Opcodes.INVOKESTATIC, GuardRules.GUARD, "deny", text, false));
        method.instructions.insertBefore(node, denial);
      }
      node.bsmArgs[i] = guarded;
    }
  }

  private static boolean isSerializable(InvokeDynamicInsnNode node) {
    return node.bsm.getName().equals("altMetafactory")
        && node.bsmArgs.length > FLAGS
        && node.bsmArgs[FLAGS] instanceof Integer
        && ((Integer) node.bsmArgs[FLAGS] & SERIALIZABLE) != 0;
  }

  /** The handle itself where no guard stands before what it calls. */
  private Handle guarded(Handle handle, String receiver) {
    if (handle.getTag() < Opcodes.H_INVOKEVIRTUAL) {
      return handle; // a field
    }
    return replaced.computeIfAbsent(handle + " " + receiver, key -> bridge(handle, receiver));
  }

  /**
   * The descriptor of the object to which a reference is bound, which may be of a subclass: the
   * bridge, a static method, must take just that. Null where it is bound to none.
   */
  private static String bound(InvokeDynamicInsnNode node, Handle handle) {
    Type[] captured = Type.getArgumentTypes(node.desc);
    boolean isObjects =
        handle.getTag() == Opcodes.H_INVOKEVIRTUAL || handle.getTag() == Opcodes.H_INVOKEINTERFACE;
    boolean isReference = node.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory");
    boolean isBound = captured.length > 0 && captured[0].getSort() == Type.OBJECT;
    return isReference && isObjects && isBound ? captured[0].getDescriptor() : null;
  }

  private Handle bridge(Handle handle, String receiver) {
    boolean isNew = handle.getTag() == Opcodes.H_NEWINVOKESPECIAL;
    boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC;
    boolean isSuper = handle.getTag() == Opcodes.H_INVOKESPECIAL;
    if (declares(handle)) {
      return handle; // the class's own code, which has guards
    }
    // What is inherited is called on an object of the class itself.
    String owner = Type.getObjectType(isSuper ? type.name : handle.getOwner()).getDescriptor();
    String descriptor = handle.getDesc();
    if (isNew) {
      descriptor = descriptor.substring(0, descriptor.lastIndexOf(')') + 1) + owner;
    } else if (!isStatic) {
      descriptor = "(" + (receiver == null ? owner : receiver) + descriptor.substring(1);
    }
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
    String name = NAME + bridges.size();
    MethodNode method = new MethodNode(access, name, descriptor, null, null);
    InsnList code = method.instructions;
    if (isNew) {
      code.add(new TypeInsnNode(Opcodes.NEW, handle.getOwner()));
      code.add(new InsnNode(Opcodes.DUP));
    }
    int local = 0;
    for (Type argument : Type.getArgumentTypes(descriptor)) {
      code.add(new VarInsnNode(argument.getOpcode(Opcodes.ILOAD), local));
      local += argument.getSize();
    }
    MethodInsnNode call =
        new MethodInsnNode(
            opcode(handle.getTag()),
            handle.getOwner(),
            handle.getName(),
            handle.getDesc(),
            handle.isInterface());
    code.add(call);
    code.add(new InsnNode(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN)));
    method.maxLocals = local;
    int size = code.size();
    GuardRewriter.rewrite(method);
    if (code.size() == size && code.contains(call)) {
      return handle;
    }
    bridges.add(method);
    boolean isInterface = (type.access & Opcodes.ACC_INTERFACE) != 0;
    return new Handle(Opcodes.H_INVOKESTATIC, type.name, name, descriptor, isInterface);
  }

  private boolean declares(Handle handle) {
    if (!handle.getOwner().equals(type.name)) {
      return false;
    }
    for (MethodNode method : type.methods) {
      if (method.name.equals(handle.getName()) && method.desc.equals(handle.getDesc())) {
        return true;
      }
    }
    return false; // inherited
  }

  private static int opcode(int tag) {
    switch (tag) {
      case Opcodes.H_INVOKESTATIC:
        return Opcodes.INVOKESTATIC;
      case Opcodes.H_INVOKEINTERFACE:
        return Opcodes.INVOKEINTERFACE;
      case Opcodes.H_NEWINVOKESPECIAL:
      case Opcodes.H_INVOKESPECIAL:
        return Opcodes.INVOKESPECIAL;
      default:
        return Opcodes.INVOKEVIRTUAL;
    }
  }
}
