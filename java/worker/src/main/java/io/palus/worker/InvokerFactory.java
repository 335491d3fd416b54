package io.palus.worker;

import io.palus.worker.instrument.GuardRewriter;
import io.palus.worker.runtime.Invoker;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;

/**
 * Generates a class per method or field that makes the call without reflection. It lives in the
 * owner's package of the subject's class loader, so that what the package may call can be called;
 * for owners of the JDK in a package of ours.
 */
final class InvokerFactory {
  private static final String SUPER = "io/palus/worker/runtime/Invoker";
  static final String MARK = "Palus$";
  private static final String CALL = "([Ljava/lang/Object;I[II)Ljava/lang/Object;";
  private static final int SLOTS = 1;
  private static final int RECEIVER = 2;
  private static final int ARGUMENTS = 3;
  private static final int FROM = 4;
  private static final int LOCALS = 5;

  /** Whether a class of this binary name was made here. */
  static boolean isOurs(String className) {
    return className.startsWith(MARK, className.lastIndexOf('.') + 1);
  }

  /** The invoker of an entry in this loader. */
  Invoker invoker(MethodEntry entry, SubjectLoader loader) throws ReflectiveOperationException {
    if (entry.invoker == null) {
      if (entry.invokerBytes == null) {
        entry.invokerName = packageOf(entry.owner) + MARK + "Call" + number(entry);
        entry.invokerBytes = generate(entry);
      }
      Class<?> type = loader.define(entry.invokerName.replace('/', '.'), entry.invokerBytes);
      entry.invoker = (Invoker) type.getConstructor().newInstance();
    }
    return entry.invoker;
  }

  /** The same for a member in every worker: stack traces of the subject may tell it. */
  private static String number(MethodEntry entry) {
    String member = entry.kind + entry.owner + '.' + entry.name + entry.descriptor;
    long hash = 0;
    for (int i = 0; i < member.length(); i++) {
      hash = 31 * hash + member.charAt(i);
    }
    return Long.toHexString(hash | Long.MIN_VALUE);
  }

  /** No loader but the JDK's may define classes in java's packages. */
  static String packageOf(String owner) {
    return owner.startsWith("java/") || owner.startsWith("[")
        ? "palus/calls/"
        : owner.substring(0, owner.lastIndexOf('/') + 1);
  }

  private static byte[] generate(MethodEntry entry) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER;
    writer.visit(Opcodes.V1_8, access, entry.invokerName, null, SUPER, null);
    MethodNode constructor = new MethodNode(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, SUPER, "<init>", "()V", false);
    constructor.visitInsn(Opcodes.RETURN);
    constructor.visitMaxs(1, 1);
    constructor.accept(writer);
    MethodNode call = new MethodNode(Opcodes.ACC_PUBLIC, "call", CALL, null, null);
    body(entry, call);
    call.visitMaxs(0, LOCALS);
    GuardRewriter.rewrite(call);
    call.accept(writer);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void body(MethodEntry entry, MethodNode code) {
    boolean isField = entry.kind > MethodEntry.INTERFACE_STATIC;
    if (entry.kind == MethodEntry.CONSTRUCTOR) {
      code.visitTypeInsn(Opcodes.NEW, entry.owner);
      code.visitInsn(Opcodes.DUP);
    }
    if (entry.hasReceiver()) {
      code.visitVarInsn(Opcodes.ALOAD, SLOTS);
      code.visitVarInsn(Opcodes.ILOAD, RECEIVER);
      code.visitInsn(Opcodes.AALOAD);
      code.visitTypeInsn(Opcodes.CHECKCAST, entry.owner);
    }
    if (!isField) {
      Type[] types = Type.getArgumentTypes(entry.descriptor);
      for (int i = 0; i < types.length; i++) {
        argument(code, i, types[i]);
      }
    }
    Type type = isField ? Type.getType(entry.descriptor) : Type.getReturnType(entry.descriptor);
    String name = entry.name;
    switch (entry.kind) {
      case MethodEntry.CONSTRUCTOR:
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, entry.owner, name, entry.descriptor, false);
        type = Type.getObjectType(entry.owner);
        break;
      case MethodEntry.STATIC:
      case MethodEntry.INTERFACE_STATIC:
        boolean isInterface = entry.kind == MethodEntry.INTERFACE_STATIC;
        code.visitMethodInsn(
            Opcodes.INVOKESTATIC, entry.owner, name, entry.descriptor, isInterface);
        break;
      case MethodEntry.VIRTUAL:
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, entry.owner, name, entry.descriptor, false);
        break;
      case MethodEntry.INTERFACE:
        code.visitMethodInsn(Opcodes.INVOKEINTERFACE, entry.owner, name, entry.descriptor, true);
        break;
      case MethodEntry.GET_FIELD:
        code.visitFieldInsn(Opcodes.GETFIELD, entry.owner, name, entry.descriptor);
        break;
      case MethodEntry.GET_STATIC:
        code.visitFieldInsn(Opcodes.GETSTATIC, entry.owner, name, entry.descriptor);
        break;
      default:
        argument(code, 0, type);
        boolean isStatic = entry.kind == MethodEntry.SET_STATIC;
        int opcode = isStatic ? Opcodes.PUTSTATIC : Opcodes.PUTFIELD;
        code.visitFieldInsn(opcode, entry.owner, name, entry.descriptor);
        type = Type.VOID_TYPE;
        break;
    }
    box(code, type);
    code.visitInsn(Opcodes.ARETURN);
  }

  private static void argument(MethodNode code, int index, Type type) {
    code.visitVarInsn(Opcodes.ALOAD, SLOTS);
    code.visitVarInsn(Opcodes.ALOAD, ARGUMENTS);
    code.visitVarInsn(Opcodes.ILOAD, FROM);
    if (index > 0) {
      code.visitIntInsn(Opcodes.SIPUSH, index);
      code.visitInsn(Opcodes.IADD);
    }
    code.visitInsn(Opcodes.IALOAD);
    code.visitInsn(Opcodes.AALOAD);
    unbox(code, type);
  }

  /** Object on the stack to a value of the type. */
  static void unbox(MethodNode code, Type type) {
    if (type.getSort() >= Type.ARRAY) {
      code.visitTypeInsn(Opcodes.CHECKCAST, type.getInternalName());
      return;
    }
    String box = box(type);
    code.visitTypeInsn(Opcodes.CHECKCAST, box);
    String method = type.getClassName() + "Value";
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, box, method, "()" + type.getDescriptor(), false);
  }

  /** Value of the type on the stack to an object. */
  static void box(MethodNode code, Type type) {
    if (type == Type.VOID_TYPE) {
      code.visitInsn(Opcodes.ACONST_NULL);
    } else if (type.getSort() < Type.ARRAY) {
      String box = box(type);
      String descriptor = "(" + type.getDescriptor() + ")L" + box + ";";
      code.visitMethodInsn(Opcodes.INVOKESTATIC, box, "valueOf", descriptor, false);
    }
  }

  private static String box(Type type) {
    switch (type.getSort()) {
      case Type.BOOLEAN:
        return "java/lang/Boolean";
      case Type.CHAR:
        return "java/lang/Character";
      case Type.BYTE:
        return "java/lang/Byte";
      case Type.SHORT:
        return "java/lang/Short";
      case Type.INT:
        return "java/lang/Integer";
      case Type.FLOAT:
        return "java/lang/Float";
      case Type.LONG:
        return "java/lang/Long";
      default:
        return "java/lang/Double";
    }
  }
}
