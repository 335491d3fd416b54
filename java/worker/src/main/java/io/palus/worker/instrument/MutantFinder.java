package io.palus.worker.instrument;

import io.palus.wire.Kinds.Operator;
import io.palus.worker.runtime.Plain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Which instructions of a method have mutants: the set is that of PIT's default mutators, three of
 * those that it calls experimental, and one for dates. Comes before any other instrumentation, and
 * sees the code as the compiler wrote it.
 */
final class MutantFinder {
  private static final String[] LOGGERS = {
    "java/util/logging/",
    "org/slf4j/",
    "org/apache/log4j/",
    "org/apache/logging/",
    "org/apache/commons/logging/",
    "ch/qos/logback/"
  };

  private static final String SIGNS = "+-*/%";
  private static final String[] BIT_SIGNS = {"<<", ">>", ">>>", "&", "|", "^"};

  private final ClassNode type;
  private final MethodNode method;
  private final boolean hasAll;
  private final CompilersCode generated;
  private final List<MutantSite> sites = new ArrayList<>();
  private int line;

  private MutantFinder(ClassNode type, MethodNode method, boolean hasAll) {
    this.type = type;
    this.method = method;
    this.hasAll = hasAll;
    this.generated = new CompilersCode(type, method);
  }

  /** Those of all operators, or of PIT's default mutators alone. */
  static List<MutantSite> find(ClassNode type, MethodNode method, boolean hasAll) {
    MutantFinder finder = new MutantFinder(type, method, hasAll);
    if (!finder.generated.isAll()) {
      finder.find();
    }
    return finder.sites;
  }

  private void find() {
    AbstractInsnNode[] code = method.instructions.toArray();
    for (int at = 0; at < code.length; at++) {
      if (code[at] instanceof LineNumberNode) {
        line = ((LineNumberNode) code[at]).line;
      } else if (code[at].getOpcode() >= 0 && !generated.has(at)) {
        find(code[at]);
      }
    }
  }

  private void add(AbstractInsnNode node, Operator... operators) {
    addAbout("", node, operators);
  }

  private void addAbout(String detail, AbstractInsnNode node, Operator... operators) {
    sites.add(new MutantSite(node, line, Arrays.asList(operators), detail));
  }

  private void find(AbstractInsnNode node) {
    int opcode = node.getOpcode();
    if (node instanceof JumpInsnNode) {
      if (opcode != Opcodes.GOTO && opcode != Opcodes.JSR) {
        jump(node, opcode);
      }
    } else if (opcode >= Opcodes.IADD && opcode <= Opcodes.DREM
        || opcode >= Opcodes.ISHL && opcode <= Opcodes.LXOR) {
      addAbout(sign(opcode), node, Operator.MATH);
    } else if (opcode >= Opcodes.INEG && opcode <= Opcodes.DNEG) {
      add(node, Operator.INVERT_NEGS);
    } else if (opcode == Opcodes.IINC && ((IincInsnNode) node).incr != 0) {
      add(node, Operator.INCREMENTS);
    } else if (node instanceof MethodInsnNode) {
      call((MethodInsnNode) node);
    } else if (opcode == Opcodes.PUTFIELD) {
      store((FieldInsnNode) node);
    } else if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.ARETURN) {
      result(node);
    }
  }

  private void jump(AbstractInsnNode node, int opcode) {
    boolean isOrder =
        opcode >= Opcodes.IFLT && opcode <= Opcodes.IFLE
            || opcode >= Opcodes.IF_ICMPLT && opcode <= Opcodes.IF_ICMPLE;
    if (isOrder) {
      add(node, Operator.CONDITIONALS_BOUNDARY, Operator.REMOVE_CONDITIONALS);
    } else {
      add(node, Operator.REMOVE_CONDITIONALS);
    }
  }

  private static String sign(int opcode) {
    return opcode < Opcodes.ISHL
        ? SIGNS.substring((opcode - Opcodes.IADD) / 4).substring(0, 1)
        : BIT_SIGNS[(opcode - Opcodes.ISHL) / 2];
  }

  private void call(MethodInsnNode call) {
    for (String logger : LOGGERS) {
      if (call.owner.startsWith(logger)) {
        return;
      }
    }
    if (call.name.equals("<init>")) {
      return;
    }
    if (call.desc.endsWith(")V")) {
      addAbout(call.name, call, Operator.VOID_METHOD_CALLS);
    } else if (!hasAll || isUnasked(call)) {
      return;
    } else if (isThrownAway(call) && !isCheck(call)) {
      addAbout(call.name, call, Operator.NON_VOID_METHOD_CALLS);
    } else {
      List<Operator> operators = new ArrayList<>();
      if (FlagCalls.isOrderOfDates(call)) {
        operators.add(Operator.DATE_BOUNDARY);
      }
      if (call.getOpcode() != Opcodes.INVOKESTATIC && isReceiver(call)) {
        operators.add(Operator.NAKED_RECEIVER);
      }
      if (CallMutants.replacing(call.desc) >= 0) {
        operators.add(Operator.ARGUMENT_PROPAGATION);
      }
      if (!operators.isEmpty()) {
        addAbout(call.name, call, operators.toArray(new Operator[0]));
      }
    }
  }

  /** Whether nobody looks at the result, so that the call is there for what it does. */
  private static boolean isThrownAway(MethodInsnNode call) {
    AbstractInsnNode next = call.getNext();
    boolean isWide = Type.getReturnType(call.desc).getSize() == 2;
    return next != null && next.getOpcode() == (isWide ? Opcodes.POP2 : Opcodes.POP);
  }

  /** Whether a call gives what it is given or throws, so that leaving it out shows only there. */
  private static boolean isCheck(MethodInsnNode call) {
    boolean isPlain = PlainCalls.has(call.owner, call.name);
    return isPlain
        && call.owner.equals("java/util/Objects")
        && CallMutants.replacing(call.desc) >= 0;
  }

  /** What no test asserts, and what reads and writes fields for nested classes. */
  private static boolean isUnasked(MethodInsnNode call) {
    boolean isNullCheck = call.name.equals("getClass") && isThrownAway(call); // as javac 8 has it
    return call.name.equals("hashCode") || call.name.startsWith("access$") || isNullCheck;
  }

  /** Whether the receiver is of the type of the result, as far as this class alone tells. */
  private boolean isReceiver(MethodInsnNode call) {
    String result = Type.getReturnType(call.desc).getInternalName();
    boolean isOwn = call.owner.equals(type.name) && !result.equals("java/lang/Object");
    return call.owner.equals(result)
        || isOwn && (result.equals(type.superName) || type.interfaces.contains(result));
  }

  private void store(FieldInsnNode store) {
    if (hasAll && !generated.isStore(store)) {
      addAbout(store.name, store, Operator.MEMBER_VARIABLE);
    }
  }

  /** A return, but for one of what the mutant would return. */
  private void result(AbstractInsnNode node) {
    Type type = Type.getReturnType(method.desc);
    AbstractInsnNode made = before(node);
    String name = type.getSort() == Type.OBJECT ? type.getInternalName() : "";
    if (type.getSort() == Type.BOOLEAN || name.equals("java/lang/Boolean")) {
      List<Operator> operators = new ArrayList<>();
      if (!isTruth(made, false)) {
        operators.add(Operator.FALSE_RETURNS);
      }
      if (!isTruth(made, true)) {
        operators.add(Operator.TRUE_RETURNS);
      }
      add(node, operators.toArray(new Operator[0]));
    } else if (type.getSort() < Type.ARRAY) {
      if (!isZero(made)) {
        add(node, Operator.PRIMITIVE_RETURNS);
      }
    } else if (Plain.isKnown(name)) {
      if (!isPlain(made)) {
        add(node, Operator.EMPTY_RETURNS);
      }
    } else if (made == null || made.getOpcode() != Opcodes.ACONST_NULL) {
      add(node, Operator.NULL_RETURNS);
    }
  }

  /** The instruction before in the text; null for none. */
  static AbstractInsnNode before(AbstractInsnNode node) {
    AbstractInsnNode before = node.getPrevious();
    while (before != null && before.getOpcode() < 0) {
      before = before.getPrevious();
    }
    return before;
  }

  private static boolean isTruth(AbstractInsnNode made, boolean wanted) {
    AbstractInsnNode value = unboxed(made);
    if (value instanceof FieldInsnNode) {
      FieldInsnNode field = (FieldInsnNode) value;
      boolean isBoolean = field.owner.equals("java/lang/Boolean");
      return isBoolean && field.name.equals(wanted ? "TRUE" : "FALSE");
    }
    return value != null && value.getOpcode() == (wanted ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
  }

  static boolean isZero(AbstractInsnNode made) {
    int opcode = made == null ? Opcodes.NOP : made.getOpcode();
    return opcode == Opcodes.ICONST_0
        || opcode == Opcodes.LCONST_0
        || opcode == Opcodes.FCONST_0
        || opcode == Opcodes.DCONST_0;
  }

  private static boolean isPlain(AbstractInsnNode made) {
    if (made instanceof LdcInsnNode) {
      return "".equals(((LdcInsnNode) made).cst);
    }
    if (made instanceof MethodInsnNode) {
      MethodInsnNode call = (MethodInsnNode) made;
      boolean isEmpty = call.name.startsWith("empty") || call.name.equals("of");
      if (isEmpty && call.owner.startsWith("java/util/") && call.desc.startsWith("()")) {
        return true;
      }
    }
    return made != unboxed(made) && isZero(unboxed(made));
  }

  /** What a call of {@code valueOf} was given; else the instruction itself. */
  private static AbstractInsnNode unboxed(AbstractInsnNode made) {
    boolean isBoxed =
        made instanceof MethodInsnNode
            && ((MethodInsnNode) made).name.equals("valueOf")
            && ((MethodInsnNode) made).owner.startsWith("java/lang/")
            && Type.getArgumentTypes(((MethodInsnNode) made).desc).length == 1;
    return isBoxed ? before(made) : made;
  }
}
