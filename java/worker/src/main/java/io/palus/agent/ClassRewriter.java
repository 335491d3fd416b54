package io.palus.agent;

import java.util.Iterator;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.JSRInlinerAdapter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Instruments one class. The same class file always gives the same members. */
final class ClassRewriter {
  static final String AGENT = "io/palus/agent/";

  /** Where {@code LambdaMetafactory.altMetafactory} has its flags, and one of them. */
  private static final int FLAGS = 3;

  private static final int SERIALIZABLE = 1;

  /** Reads with subroutines inlined, which old compilers made and frames cannot describe. */
  private static final class Tree extends ClassNode {
    Tree() {
      super(Opcodes.ASM9);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodNode method =
          new JSRInlinerAdapter(null, access, name, descriptor, signature, exceptions);
      methods.add(method);
      return method;
    }
  }

  private final ClassLoader loader;
  private final Set<String> left;
  private final ClassNode node = new Tree();

  /** {@code left}: methods (name and descriptor) that stay as they are. */
  ClassRewriter(ClassLoader loader, ClassReader reader, Set<String> left) {
    this.loader = loader;
    this.left = left;
    reader.accept(node, ClassReader.EXPAND_FRAMES);
    dropOurs();
  }

  /**
   * Another agent that makes a loaded class anew may have taken our members from what the class is,
   * and all else from its file: they are added again.
   */
  private void dropOurs() {
    for (Iterator<FieldNode> each = node.fields.iterator(); each.hasNext(); ) {
      if (each.next().name.startsWith(MemberWriter.OURS)) {
        each.remove();
      }
    }
    for (Iterator<MethodNode> each = node.methods.iterator(); each.hasNext(); ) {
      if (each.next().name.startsWith(MemberWriter.OURS)) {
        each.remove();
      }
    }
  }

  byte[] subjectClass() {
    ClassInfo info = ClassInfo.define(loader, node.name);
    boolean takesState = ClassShape.takesState(node.access, node.superName);
    for (MethodNode method : node.methods) {
      filterReflection(method);
      if (isTraced(method)) {
        markCopies(method);
        MethodInfo traced = MethodInfo.define(info, method.name, method.desc, method.access);
        if (traced != null) {
          new MethodRewriter(node, method, takesState).trace(traced.number);
        }
        StackDepth.fit(node, method);
      }
    }
    MemberWriter members = new MemberWriter(node);
    boolean takesProfile =
        ClassShape.takesProfile(node.access)
            && !left.contains(MemberWriter.PROFILE + MemberWriter.PROFILE_TYPE);
    if (takesProfile) {
      members.addProfile();
    }
    if (takesState) {
      members.addState();
    }
    info.hasState = takesState;
    info.hasProfile = takesProfile;
    return write();
  }

  byte[] testClass() {
    boolean changed = false;
    TestMethods tests = new TestMethods(node);
    for (MethodNode method : node.methods) {
      changed |= filterReflection(method);
      if (hasBody(method) && tests.isTest(method)) {
        new MethodRewriter(node, method, false).traceTest(tests.expected(method));
        StackDepth.fit(node, method);
        changed = true;
      }
    }
    return changed ? write() : null;
  }

  private byte[] write() {
    // No COMPUTE_FRAMES: it would load classes. Frames are written by hand.
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  private static boolean hasBody(MethodNode method) {
    return method.instructions.size() > 0;
  }

  private boolean isTraced(MethodNode method) {
    int skipped = Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE;
    return hasBody(method)
        && (method.access & skipped) == 0
        && !method.name.equals("<clinit>")
        && !method.name.startsWith(ReflectionFilter.COVERAGE)
        && !left.contains(method.name + method.desc);
  }

  /** Lets look-ups of members miss ours. */
  private static boolean filterReflection(MethodNode method) {
    boolean changed = false;
    for (AbstractInsnNode i = method.instructions.getFirst(); i != null; i = i.getNext()) {
      if (i instanceof InvokeDynamicInsnNode) {
        changed |= filterReferences((InvokeDynamicInsnNode) i);
        continue;
      }
      if (!(i instanceof MethodInsnNode)) {
        continue;
      }
      MethodInsnNode call = (MethodInsnNode) i;
      if (isFiltered(call.owner, call.name, call.desc)) {
        String members = call.desc.substring("()".length());
        String descriptor = "(" + members + ")" + members;
        method.instructions.insert(
            call,
            new MethodInsnNode(
                Opcodes.INVOKESTATIC, AGENT + "ReflectionFilter", "without", descriptor, false));
        changed = true;
      }
    }
    return changed;
  }

  /** The same for {@code Class::getDeclaredFields}, which has no call instruction. */
  private static boolean filterReferences(InvokeDynamicInsnNode node) {
    boolean changed = false;
    for (int at = 0; at < node.bsmArgs.length && !isSerializable(node); at++) {
      if (!(node.bsmArgs[at] instanceof Handle)) {
        continue;
      }
      Handle handle = (Handle) node.bsmArgs[at];
      if (isFiltered(handle.getOwner(), handle.getName(), handle.getDesc())) {
        String descriptor = "(Ljava/lang/Class;" + handle.getDesc().substring("(".length());
        node.bsmArgs[at] =
            new Handle(
                Opcodes.H_INVOKESTATIC,
                AGENT + "ReflectionFilter",
                handle.getName(),
                descriptor,
                false);
        changed = true;
      }
    }
    return changed;
  }

  /** Whether the reference is read back by the name of what it stands for, which must stay. */
  private static boolean isSerializable(InvokeDynamicInsnNode node) {
    return node.bsm.getName().equals("altMetafactory")
        && node.bsmArgs.length > FLAGS
        && node.bsmArgs[FLAGS] instanceof Integer
        && ((Integer) node.bsmArgs[FLAGS] & SERIALIZABLE) != 0;
  }

  private static boolean isFiltered(String owner, String name, String descriptor) {
    if (!owner.equals("java/lang/Class")) {
      return false;
    }
    switch (name + descriptor) {
      case "getDeclaredFields()[Ljava/lang/reflect/Field;":
      case "getDeclaredMethods()[Ljava/lang/reflect/Method;":
        return true;
      default:
        return false;
    }
  }

  /** A copy made by {@code super.clone()} has its original's identity, and must lose it. */
  private static void markCopies(MethodNode method) {
    if ((method.access & Opcodes.ACC_STATIC) != 0) {
      return;
    }
    for (AbstractInsnNode i = method.instructions.getFirst(); i != null; i = i.getNext()) {
      if (i.getOpcode() != Opcodes.INVOKESPECIAL) {
        continue;
      }
      MethodInsnNode call = (MethodInsnNode) i;
      if (call.name.equals("clone") && call.desc.equals("()Ljava/lang/Object;")) {
        MethodRewriter.addCloned(method, call);
      }
    }
  }
}
