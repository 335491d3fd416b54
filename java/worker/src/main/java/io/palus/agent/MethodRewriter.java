package io.palus.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Instruments one method: entry with arguments, every return, and a handler around the body. The
 * open call stays in one new local variable behind all others, so that nothing moves. Frames are
 * extended by it; those of the handlers know nothing else.
 */
final class MethodRewriter {
  private static final String END = ClassRewriter.AGENT + "CallEnd";
  private static final String TESTS = ClassRewriter.AGENT + "TestRecorder";
  private static final String FRAME = ClassRewriter.AGENT + "CallFrame";
  private static final String FRAME_TYPE = "L" + FRAME + ";";
  private static final String OBJECT = "Ljava/lang/Object;";

  private final ClassNode owner;
  private final MethodNode method;
  private final boolean isStatic;
  private final boolean isConstructor;
  private final boolean hasFrames;
  private final boolean tellsState;
  private final Type[] arguments;

  /** Number of the new local variable. */
  private final int call;

  /** {@code tellsState}: the class gets the field of {@link MemberWriter#addState}. */
  MethodRewriter(ClassNode owner, MethodNode method, boolean tellsState) {
    this.owner = owner;
    this.method = method;
    isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    isConstructor = method.name.equals("<init>");
    hasFrames = (owner.version & 0xffff) >= Opcodes.V1_6;
    this.tellsState = tellsState && !isStatic && !isConstructor;
    arguments = Type.getArgumentTypes(method.desc);
    call = method.maxLocals;
  }

  /** Records the method under this number; leaves a constructor of unknown form as it is. */
  void trace(int number) {
    MethodInsnNode other = null;
    if (isConstructor) {
      other = ConstructorCall.find(owner, method);
      if (other == null) {
        return;
      }
    }
    addLocal();
    addExits();
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    method.instructions.add(end);
    InsnList entry = entry(number, start);
    if (isConstructor) {
      LabelNode built = new LabelNode();
      LabelNode calling = new LabelNode();
      boolean canThrow = ConstructorCall.canThrowBefore(method, other);
      InsnList before = ConstructorCall.before(other, call);
      method.instructions.insertBefore(other, calling);
      method.instructions.insertBefore(other, before);
      method.instructions.insert(other, built);
      method.instructions.insert(built, ConstructorCall.after(other, call));
      method.instructions.insert(entry);
      addHandler(built, end, null, thrown());
      if (canThrow || arguments.length > 0) {
        addHandler(start, calling, Opcodes.UNINITIALIZED_THIS, thrown());
      }
    } else {
      method.instructions.insert(entry);
      addHandler(start, end, null, thrown());
    }
  }

  /** Records a test method. */
  void traceTest(String expected) {
    addLocal();
    InsnList returned = new InsnList();
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (i.getOpcode() >= Opcodes.IRETURN && i.getOpcode() <= Opcodes.RETURN) {
        returned.add(new VarInsnNode(Opcodes.ALOAD, call));
        returned.add(invoke(TESTS, "passed", "(" + FRAME_TYPE + ")V"));
        method.instructions.insertBefore(i, returned);
      }
    }
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    method.instructions.add(end);
    InsnList entry = new InsnList();
    entry.add(isStatic ? new InsnNode(Opcodes.ACONST_NULL) : new VarInsnNode(Opcodes.ALOAD, 0));
    entry.add(new LdcInsnNode(owner.name));
    entry.add(new LdcInsnNode(method.name));
    String types = "(" + OBJECT + "Ljava/lang/String;Ljava/lang/String;)" + FRAME_TYPE;
    entry.add(invoke(TESTS, "start", types));
    entry.add(new VarInsnNode(Opcodes.ASTORE, call));
    entry.add(start);
    method.instructions.insert(entry);
    InsnList handler = new InsnList();
    handler.add(new InsnNode(Opcodes.DUP));
    handler.add(new VarInsnNode(Opcodes.ALOAD, call));
    handler.add(expected == null ? new InsnNode(Opcodes.ACONST_NULL) : new LdcInsnNode(expected));
    types = "(Ljava/lang/Throwable;" + FRAME_TYPE + "Ljava/lang/String;)V";
    handler.add(invoke(TESTS, "thrown", types));
    addHandler(start, end, null, handler);
  }

  static void addCloned(MethodNode method, MethodInsnNode clone) {
    InsnList marked = new InsnList();
    marked.add(new InsnNode(Opcodes.DUP));
    marked.add(new VarInsnNode(Opcodes.ALOAD, 0));
    marked.add(new InsnNode(Opcodes.SWAP));
    marked.add(invoke(END, "cloned", "(" + OBJECT + OBJECT + ")V"));
    method.instructions.insert(clone, marked);
  }

  /** Tells every frame of the new local variable. */
  private void addLocal() {
    for (AbstractInsnNode i = method.instructions.getFirst(); i != null; i = i.getNext()) {
      if (i instanceof FrameNode) {
        FrameNode frame = (FrameNode) i;
        frame.local = withCall(frame.local);
      }
    }
    method.maxLocals++;
  }

  private List<Object> withCall(List<Object> locals) {
    List<Object> all = new ArrayList<>(locals == null ? new ArrayList<>() : locals);
    int slots = 0;
    for (Object local : all) {
      slots += local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1;
    }
    for (; slots < call; slots++) {
      all.add(Opcodes.TOP);
    }
    all.add(FRAME);
    return all;
  }

  private InsnList entry(int number, LabelNode start) {
    InsnList code = new InsnList();
    LabelNode body = new LabelNode();
    code.add(new InsnNode(Opcodes.ACONST_NULL));
    code.add(new VarInsnNode(Opcodes.ASTORE, call));
    new EnterCall(owner.name, arguments, isStatic, isConstructor, tellsState)
        .add(code, number, body);
    code.add(new InsnNode(Opcodes.DUP));
    code.add(new VarInsnNode(Opcodes.ASTORE, call));
    code.add(start);
    code.add(new JumpInsnNode(Opcodes.IFNULL, body));
    int local = isStatic ? 0 : 1;
    for (Type argument : arguments) {
      code.add(new VarInsnNode(Opcodes.ALOAD, call));
      code.add(new VarInsnNode(argument.getOpcode(Opcodes.ILOAD), local));
      String type = argument.getSort() >= Type.ARRAY ? OBJECT : argument.getDescriptor();
      code.add(call("argument", "(" + type + ")V"));
      local += argument.getSize();
    }
    code.add(new VarInsnNode(Opcodes.ALOAD, call));
    code.add(call("begin", "()V"));
    code.add(body);
    if (hasFrames) {
      code.add(new FrameNode(Opcodes.F_NEW, 0, null, 0, null));
      ((FrameNode) code.getLast()).local = withCall(entryLocals());
      ((FrameNode) code.getLast()).stack = new ArrayList<>();
      code.add(new InsnNode(Opcodes.NOP));
    }
    return code;
  }

  private List<Object> entryLocals() {
    List<Object> locals = new ArrayList<>();
    if (!isStatic) {
      locals.add(isConstructor ? Opcodes.UNINITIALIZED_THIS : owner.name);
    }
    for (Type argument : arguments) {
      switch (argument.getSort()) {
        case Type.LONG:
          locals.add(Opcodes.LONG);
          break;
        case Type.DOUBLE:
          locals.add(Opcodes.DOUBLE);
          break;
        case Type.FLOAT:
          locals.add(Opcodes.FLOAT);
          break;
        case Type.ARRAY:
        case Type.OBJECT:
          locals.add(argument.getInternalName());
          break;
        default:
          locals.add(Opcodes.INTEGER);
      }
    }
    return locals;
  }

  private void addExits() {
    Type result = Type.getReturnType(method.desc);
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (i.getOpcode() < Opcodes.IRETURN || i.getOpcode() > Opcodes.RETURN) {
        continue;
      }
      InsnList exit = new InsnList();
      String type = "";
      if (isConstructor) {
        exit.add(new VarInsnNode(Opcodes.ALOAD, 0));
        type = OBJECT;
      } else if (i.getOpcode() != Opcodes.RETURN) {
        exit.add(new InsnNode(result.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP));
        type = result.getSort() >= Type.ARRAY ? OBJECT : result.getDescriptor();
      }
      exit.add(new VarInsnNode(Opcodes.ALOAD, call));
      exit.add(invoke(END, "exit", "(" + type + FRAME_TYPE + ")V"));
      method.instructions.insertBefore(i, exit);
    }
  }

  private InsnList thrown() {
    InsnList code = new InsnList();
    code.add(new InsnNode(Opcodes.DUP));
    code.add(new VarInsnNode(Opcodes.ALOAD, call));
    code.add(invoke(END, "thrown", "(Ljava/lang/Throwable;" + FRAME_TYPE + ")V"));
    return code;
  }

  /** A handler of everything, behind the method's own; {@code self} is what it knows of `this`. */
  private void addHandler(LabelNode start, LabelNode end, Object self, InsnList code) {
    if (!hasCode(start, end)) {
      return;
    }
    LabelNode handler = new LabelNode();
    method.instructions.add(handler);
    if (hasFrames) {
      FrameNode frame = new FrameNode(Opcodes.F_NEW, 0, null, 0, null);
      frame.local = withCall(self == null ? null : Arrays.asList(self));
      frame.stack = new ArrayList<>(Arrays.asList((Object) "java/lang/Throwable"));
      method.instructions.add(frame);
    }
    method.instructions.add(code);
    method.instructions.add(new InsnNode(Opcodes.ATHROW));
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
  }

  private static boolean hasCode(LabelNode start, LabelNode end) {
    for (AbstractInsnNode i = start; i != end; i = i.getNext()) {
      if (i.getOpcode() >= 0 && !(i instanceof LineNumberNode)) {
        return true;
      }
    }
    return false;
  }

  private static MethodInsnNode call(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKEVIRTUAL, FRAME, name, descriptor, false);
  }

  private static MethodInsnNode invoke(String type, String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, type, name, descriptor, false);
  }
}
