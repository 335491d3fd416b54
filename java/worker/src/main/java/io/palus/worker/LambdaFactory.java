package io.palus.worker;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;

/**
 * Generates implementations of interfaces whose abstract methods return a given value. Each call
 * burns fuel, so that a loop of the JDK around it ends.
 */
final class LambdaFactory {
  private static final String VALUE = "value";
  private static final String OBJECT = "Ljava/lang/Object;";

  private final Map<String, Class<?>> made = new HashMap<>();
  private int count;

  /** Forgets classes of the class loader that is gone, and numbers those of the next one anew. */
  void clear() {
    made.clear();
    count = 0;
  }

  /** A new object whose methods return the value, or their type's default value if it is null. */
  Object make(String internalName, Object value, SubjectLoader loader)
      throws ReflectiveOperationException {
    Class<?> type = made.get(internalName);
    if (type == null) {
      Class<?> face = Class.forName(internalName.replace('/', '.'), false, loader);
      String name = InvokerFactory.packageOf(internalName) + InvokerFactory.MARK + "Lambda" + count;
      count++;
      type = loader.define(name.replace('/', '.'), generate(name, internalName, face));
      made.put(internalName, type);
    }
    return type.getConstructor(Object.class).newInstance(value);
  }

  private static byte[] generate(String name, String internalName, Class<?> face) {
    // Version 5: no stack map frames needed.
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER;
    String[] faces = {internalName};
    writer.visit(Opcodes.V1_5, access, name, null, "java/lang/Object", faces);
    writer.visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL, VALUE, OBJECT, null, null);
    String descriptor = "(" + OBJECT + ")V";
    MethodNode constructor = new MethodNode(Opcodes.ACC_PUBLIC, "<init>", descriptor, null, null);
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitVarInsn(Opcodes.ALOAD, 1);
    constructor.visitFieldInsn(Opcodes.PUTFIELD, name, VALUE, OBJECT);
    constructor.visitInsn(Opcodes.RETURN);
    constructor.visitMaxs(2, 2);
    constructor.accept(writer);
    Set<String> done = new HashSet<>();
    for (Method method : face.getMethods()) {
      String signature = method.getName() + Type.getMethodDescriptor(method);
      if (Modifier.isAbstract(method.getModifiers())
          && !isOfObject(method)
          && done.add(signature)) {
        implement(method, name).accept(writer);
      }
    }
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static boolean isOfObject(Method method) {
    try {
      Object.class.getMethod(method.getName(), method.getParameterTypes());
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static MethodNode implement(Method method, String name) {
    String descriptor = Type.getMethodDescriptor(method);
    Type type = Type.getReturnType(method);
    MethodNode code = new MethodNode(Opcodes.ACC_PUBLIC, method.getName(), descriptor, null, null);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, "io/palus/worker/runtime/Probes", "burn", "()V", false);
    if (type != Type.VOID_TYPE) {
      Label isNull = new Label();
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitFieldInsn(Opcodes.GETFIELD, name, VALUE, OBJECT);
      code.visitJumpInsn(Opcodes.IFNULL, isNull);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitFieldInsn(Opcodes.GETFIELD, name, VALUE, OBJECT);
      InvokerFactory.unbox(code, type);
      code.visitInsn(type.getOpcode(Opcodes.IRETURN));
      code.visitLabel(isNull);
      zero(code, type);
    }
    code.visitInsn(type.getOpcode(Opcodes.IRETURN));
    code.visitMaxs(0, Type.getArgumentsAndReturnSizes(descriptor) >> 2);
    return code;
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
