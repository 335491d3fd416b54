package io.palus.worker.instrument;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Lets one class tell {@code ApiCalls} of the calls that it makes to an API.
 *
 * <p>A call on an object goes through a method that is added to the class, for its exception is
 * told of, too: a handler in the calling method would need to know what is on the stack there.
 * Constructors, and calls by {@code super}, stay where they are; that one of these threw is not
 * told. Code there is added in straight lines and added variables live only there, so no stack map
 * frame changes.
 */
final class ApiCallInserter {
  private static final String CALLS = "io/palus/worker/runtime/ApiCalls";
  private static final String NAME = "palus$call$";
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final String THROWABLE = "java/lang/Throwable";
  private static final int FRAMES_SINCE = 50;

  /** Since this version interfaces have methods of their own. */
  private static final int INTERFACE_METHODS_SINCE = 52;

  private final ClassNode type;
  private final int majorVersion;
  private final boolean isInterface;
  private final Map<Integer, Integer> sites;
  private final Map<String, MethodNode> bridges = new HashMap<>();
  private final List<MethodNode> added = new ArrayList<>();
  private int calls;

  /** A site of the method at hand. */
  static final class Site {
    final MethodInsnNode call;
    final String descriptor;
    final int number;
    final boolean isMaking;

    Site(MethodInsnNode call, int number, boolean isMaking) {
      this.call = call;
      this.descriptor = call.desc;
      this.number = number;
      this.isMaking = isMaking;
    }
  }

  /**
   * Of one class.
   *
   * @param type the class
   * @param sites by place among all calls in its code, the number of the site; null for none
   */
  ApiCallInserter(ClassNode type, Map<Integer, Integer> sites) {
    this.type = type;
    this.sites = sites;
    this.majorVersion = type.version & 0xffff;
    this.isInterface = (type.access & Opcodes.ACC_INTERFACE) != 0;
  }

  /** The sites of the next method, whose code must be as the class file has it. */
  List<Site> find(MethodNode method) {
    List<Site> found = new ArrayList<>();
    if (sites == null) {
      return found;
    }
    Deque<TypeInsnNode> made = new ArrayDeque<>();
    for (AbstractInsnNode node : method.instructions) {
      if (node.getOpcode() == Opcodes.NEW) {
        made.push((TypeInsnNode) node);
      }
      if (!(node instanceof MethodInsnNode)) {
        continue;
      }
      MethodInsnNode call = (MethodInsnNode) node;
      boolean isMaking = false;
      if (call.name.equals("<init>") && !made.isEmpty() && made.peek().desc.equals(call.owner)) {
        isMaking = made.pop().getNext().getOpcode() == Opcodes.DUP;
      }
      Integer number = sites.get(calls++);
      if (number != null) {
        found.add(new Site(call, number, isMaking));
      }
    }
    return found;
  }

  /** Rewrites a method in place, after all other instrumentation; its maxLocals must be right. */
  void insert(MethodNode method, List<Site> found) {
    for (Site site : found) {
      boolean isThere = site.call.getPrevious() != null || site.call.getNext() != null;
      if (!isThere || !site.call.desc.equals(site.descriptor)) {
        continue; // a guard stands in its place
      }
      boolean isSpecial = site.call.getOpcode() == Opcodes.INVOKESPECIAL;
      if (isSpecial) {
        inPlace(method, site);
      } else if (!isInterface || majorVersion >= INTERFACE_METHODS_SINCE) {
        throughBridge(method, site);
      }
    }
  }

  /** Adds the methods through which calls go. */
  void add() {
    type.methods.addAll(added);
  }

  private void inPlace(MethodNode method, Site site) {
    MethodInsnNode call = site.call;
    boolean isConstructor = call.name.equals("<init>");
    Type[] types = Type.getArgumentTypes(call.desc);
    int[] variables = new int[types.length];
    int next = method.maxLocals;
    InsnList before = new InsnList();
    for (int i = types.length - 1; i >= 0; i--) {
      variables[i] = next;
      before.add(new VarInsnNode(types[i].getOpcode(Opcodes.ISTORE), next));
      next += types[i].getSize();
    }
    int number = next++;
    method.maxLocals = next;
    if (!isConstructor) {
      before.add(new InsnNode(Opcodes.DUP));
    }
    begin(before, site.number, !isConstructor);
    before.add(new VarInsnNode(Opcodes.ISTORE, number));
    for (int i = 0; i < types.length; i++) {
      argument(before, types[i], variables[i], i, number);
    }
    for (int i = 0; i < types.length; i++) {
      before.add(new VarInsnNode(types[i].getOpcode(Opcodes.ILOAD), variables[i]));
    }
    InsnList behind = new InsnList();
    if (isConstructor ? site.isMaking : isReference(Type.getReturnType(call.desc))) {
      returned(behind, number);
    }
    method.instructions.insertBefore(call, before);
    method.instructions.insert(call, behind);
  }

  private void throughBridge(MethodNode method, Site site) {
    MethodInsnNode call = site.call;
    String key = call.getOpcode() + call.owner + "." + call.name + call.desc;
    MethodNode bridge = bridges.get(key);
    if (bridge == null) {
      bridge = bridge(call);
      bridges.put(key, bridge);
      added.add(bridge);
    }
    method.instructions.insertBefore(call, ProbeInserter.push(site.number));
    method.instructions.set(
        call,
        new MethodInsnNode(Opcodes.INVOKESTATIC, type.name, bridge.name, bridge.desc, isInterface));
  }

  private MethodNode bridge(MethodInsnNode call) {
    boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
    List<Type> taken = new ArrayList<>();
    if (!isStatic) {
      taken.add(Type.getObjectType(call.owner));
    }
    for (Type argument : Type.getArgumentTypes(call.desc)) {
      taken.add(argument);
    }
    taken.add(Type.INT_TYPE);
    Type given = Type.getReturnType(call.desc);
    String descriptor = Type.getMethodDescriptor(given, taken.toArray(new Type[0]));
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
    MethodNode bridge = new MethodNode(access, unused(), descriptor, null, null);
    int[] variables = new int[taken.size()];
    int next = 0;
    for (int i = 0; i < variables.length; i++) {
      variables[i] = next;
      next += taken.get(i).getSize();
    }
    int number = next;
    InsnList code = bridge.instructions;
    if (!isStatic) {
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    }
    code.add(new VarInsnNode(Opcodes.ILOAD, variables[variables.length - 1]));
    code.add(ours("begin", isStatic ? "(I)I" : "(" + OBJECT + "I)I"));
    code.add(new VarInsnNode(Opcodes.ISTORE, number));
    int first = isStatic ? 0 : 1;
    for (int i = first; i < variables.length - 1; i++) {
      argument(code, taken.get(i), variables[i], i - first, number);
    }
    for (int i = 0; i < variables.length - 1; i++) {
      code.add(new VarInsnNode(taken.get(i).getOpcode(Opcodes.ILOAD), variables[i]));
    }
    Label start = new Label();
    Label end = new Label();
    Label handler = new Label();
    bridge.visitTryCatchBlock(start, end, handler, THROWABLE);
    bridge.visitLabel(start);
    bridge.visitMethodInsn(call.getOpcode(), call.owner, call.name, call.desc, call.itf);
    bridge.visitLabel(end);
    if (isReference(given)) {
      returned(code, number);
    }
    code.add(new InsnNode(given.getOpcode(Opcodes.IRETURN)));
    bridge.visitLabel(handler);
    if (majorVersion >= FRAMES_SINCE) {
      List<Object> locals = new ArrayList<>();
      taken.forEach(one -> locals.add(frameType(one)));
      locals.add(Opcodes.INTEGER);
      Object[] known = locals.toArray();
      bridge.visitFrame(Opcodes.F_NEW, known.length, known, 1, new Object[] {THROWABLE});
    }
    code.add(new InsnNode(Opcodes.DUP));
    code.add(new VarInsnNode(Opcodes.ILOAD, number));
    code.add(ours("threw", "(L" + THROWABLE + ";I)V"));
    code.add(new InsnNode(Opcodes.ATHROW));
    bridge.maxLocals = number + 1;
    return bridge;
  }

  private String unused() {
    Set<String> names = new HashSet<>();
    type.methods.forEach(method -> names.add(method.name));
    added.forEach(method -> names.add(method.name));
    int number = added.size();
    while (names.contains(NAME + number)) {
      number++;
    }
    return NAME + number;
  }

  private static Object frameType(Type type) {
    switch (type.getSort()) {
      case Type.LONG:
        return Opcodes.LONG;
      case Type.DOUBLE:
        return Opcodes.DOUBLE;
      case Type.FLOAT:
        return Opcodes.FLOAT;
      case Type.OBJECT:
      case Type.ARRAY:
        return type.getInternalName();
      default:
        return Opcodes.INTEGER;
    }
  }

  private static boolean isReference(Type type) {
    return type.getSort() == Type.OBJECT;
  }

  private static void begin(InsnList code, int site, boolean hasReceiver) {
    code.add(ProbeInserter.push(site));
    code.add(ours("begin", hasReceiver ? "(" + OBJECT + "I)I" : "(I)I"));
  }

  private static void argument(InsnList code, Type type, int variable, int position, int number) {
    if (isReference(type)) {
      code.add(new VarInsnNode(Opcodes.ALOAD, variable));
      code.add(ProbeInserter.push(position));
      code.add(new VarInsnNode(Opcodes.ILOAD, number));
      code.add(ours("argument", "(" + OBJECT + "II)V"));
    }
  }

  private static void returned(InsnList code, int number) {
    code.add(new InsnNode(Opcodes.DUP));
    code.add(new VarInsnNode(Opcodes.ILOAD, number));
    code.add(ours("returned", "(" + OBJECT + "I)V"));
  }

  private static MethodInsnNode ours(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, CALLS, name, descriptor, false);
  }
}
