package io.palus.worker;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;

/**
 * Generates implementations of interfaces and abstract classes whose open methods return or throw
 * given values, or add what they are called with to given lists. Each call burns fuel, so that a
 * loop of the JDK around it ends.
 */
final class StubFactory {
  private static final String ANSWERS = "answers";
  private static final String VALUES = "[Ljava/lang/Object;";
  private static final String THROWABLE = "java/lang/Throwable";
  private static final String LIST = "java/util/ArrayList";

  private final Map<String, Class<?>> made = new HashMap<>();
  private int count;

  /** Forgets classes of the class loader that is gone, and numbers those of the next one anew. */
  void clear() {
    made.clear();
    count = 0;
  }

  /**
   * A new object.
   *
   * @param internalName interface or abstract class
   * @param open names and descriptors of its open methods, always the same for a type
   * @param answers per method, what it returns or, where it cannot return it, throws or, where it
   *     returns nothing, the list that its calls are added to; null for the default value of its
   *     type
   */
  Object make(String internalName, String[] open, Object[] answers, SubjectLoader loader)
      throws ReflectiveOperationException {
    Class<?> type = made.get(internalName);
    if (type == null) {
      Class<?> stubbed = Class.forName(internalName.replace('/', '.'), false, loader);
      String name = InvokerFactory.packageOf(internalName) + InvokerFactory.MARK + "Stub" + count;
      count++;
      boolean isInterface = Modifier.isInterface(stubbed.getModifiers());
      byte[] bytes = generate(name, internalName, isInterface, open);
      type = loader.define(name.replace('/', '.'), bytes);
      made.put(internalName, type);
    }
    Constructor<?> constructor = type.getConstructor(Object[].class);
    return constructor.newInstance((Object) answers);
  }

  private static byte[] generate(
      String name, String internalName, boolean isInterface, String[] open) {
    // Version 5: no stack map frames needed.
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER;
    String above = isInterface ? "java/lang/Object" : internalName;
    String[] faces = isInterface ? new String[] {internalName} : new String[0];
    writer.visit(Opcodes.V1_5, access, name, null, above, faces);
    writer.visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL, ANSWERS, VALUES, null, null);
    String descriptor = "(" + VALUES + ")V";
    MethodNode constructor = new MethodNode(Opcodes.ACC_PUBLIC, "<init>", descriptor, null, null);
    // The answers come first: the constructor above may ask for them.
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitVarInsn(Opcodes.ALOAD, 1);
    constructor.visitFieldInsn(Opcodes.PUTFIELD, name, ANSWERS, VALUES);
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, above, "<init>", "()V", false);
    constructor.visitInsn(Opcodes.RETURN);
    constructor.visitMaxs(2, 2);
    constructor.accept(writer);
    for (int i = 0; i < open.length; i++) {
      implement(open[i], i, name).accept(writer);
    }
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static MethodNode implement(String method, int number, String name) {
    int split = method.indexOf('(');
    String descriptor = method.substring(split);
    Type type = Type.getReturnType(descriptor);
    String own = method.substring(0, split);
    MethodNode code = new MethodNode(Opcodes.ACC_PUBLIC, own, descriptor, null, null);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, "io/palus/worker/runtime/Probes", "burn", "()V", false);
    Label isNull = new Label();
    answer(code, name, number);
    code.visitJumpInsn(Opcodes.IFNULL, isNull);
    Label returns = new Label();
    answer(code, name, number);
    code.visitTypeInsn(Opcodes.INSTANCEOF, THROWABLE);
    code.visitJumpInsn(Opcodes.IFEQ, returns);
    if (type.getSort() == Type.OBJECT) {
      answer(code, name, number);
      code.visitTypeInsn(Opcodes.INSTANCEOF, type.getInternalName());
      code.visitJumpInsn(Opcodes.IFNE, returns);
    }
    answer(code, name, number);
    code.visitTypeInsn(Opcodes.CHECKCAST, THROWABLE);
    code.visitInsn(Opcodes.ATHROW);
    code.visitLabel(returns);
    if (type != Type.VOID_TYPE) {
      answer(code, name, number);
      InvokerFactory.unbox(code, type);
      code.visitInsn(type.getOpcode(Opcodes.IRETURN));
    } else {
      keep(code, name, number, own, Type.getArgumentTypes(descriptor));
    }
    code.visitLabel(isNull);
    if (type != Type.VOID_TYPE) {
      zero(code, type);
    }
    code.visitInsn(type.getOpcode(Opcodes.IRETURN));
    code.visitMaxs(0, Type.getArgumentsAndReturnSizes(descriptor) >> 2);
    return code;
  }

  /** Adds a call of this method to the list that is its answer. */
  private static void keep(MethodNode code, String name, int number, String own, Type[] types) {
    answer(code, name, number);
    code.visitTypeInsn(Opcodes.CHECKCAST, LIST);
    code.visitLdcInsn(own);
    code.visitIntInsn(Opcodes.SIPUSH, types.length);
    code.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
    int local = 1;
    for (int i = 0; i < types.length; i++) {
      code.visitInsn(Opcodes.DUP);
      code.visitIntInsn(Opcodes.SIPUSH, i);
      code.visitVarInsn(types[i].getOpcode(Opcodes.ILOAD), local);
      InvokerFactory.box(code, types[i]);
      code.visitInsn(Opcodes.AASTORE);
      local += types[i].getSize();
    }
    String descriptor = "(L" + LIST + ";Ljava/lang/String;" + VALUES + ")V";
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, "io/palus/worker/runtime/StubCalls", "add", descriptor, false);
  }

  private static void answer(MethodNode code, String name, int number) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, name, ANSWERS, VALUES);
    code.visitIntInsn(Opcodes.SIPUSH, number);
    code.visitInsn(Opcodes.AALOAD);
  }

  private static void zero(MethodNode code, Type type) {
    switch (type.getSort()) {
      case Type.LONG:
        code.visitInsn(Opcodes.LCONST_0);
        break;
      case Type.FLOAT:
        code.visitInsn(Opcodes.FCONST_0);
        break;
      case Type.DOUBLE:
        code.visitInsn(Opcodes.DCONST_0);
        break;
      case Type.OBJECT:
      case Type.ARRAY:
        code.visitInsn(Opcodes.ACONST_NULL);
        break;
      default:
        code.visitInsn(Opcodes.ICONST_0);
        break;
    }
  }
}
