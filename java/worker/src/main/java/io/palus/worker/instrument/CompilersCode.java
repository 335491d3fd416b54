package io.palus.worker.instrument;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Which code of a method nobody wrote: methods of enums and records, bridges, assertions, the
 * search of a switch on texts, the closing of resources after an exception, the builder of a text
 * of several parts. No test of what somebody wrote can be asked to notice its mutants.
 */
final class CompilersCode {
  private final ClassNode type;
  private final MethodNode method;
  private final AbstractInsnNode[] code;

  /** Places of instructions. */
  private final BitSet places = new BitSet();

  CompilersCode(ClassNode type, MethodNode method) {
    this.type = type;
    this.method = method;
    this.code = method.instructions.toArray();
    for (int at = 0; at < code.length; at++) {
      if (isAssertion(code[at])) {
        until(at, ((JumpInsnNode) next(at)).label);
      } else if (isSearch(code[at])) {
        until(at, label(next(at)));
      } else if (isNullCheck(at)) {
        places.set(at);
      }
    }
    texts();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      if (block.type == null || block.type.equals("java/lang/Throwable")) {
        closing(place(block.handler));
      }
    }
  }

  /** Whether an instruction is such code. */
  boolean has(int place) {
    return places.get(place);
  }

  /**
   * Whether nobody wrote that a field is given a value there, or nobody would see it missing: of a
   * record, of an enum's constant, of what a nested class keeps of the one around it, of zero or
   * null in a new object.
   */
  boolean isStore(FieldInsnNode store) {
    if (type.fields.stream()
        .anyMatch(
            one -> one.name.equals(store.name) && (one.access & Opcodes.ACC_SYNTHETIC) != 0)) {
      return true;
    }
    if (!method.name.equals("<init>")) {
      return false;
    }
    boolean isMadeElsewhere =
        "java/lang/Record".equals(type.superName) || "java/lang/Enum".equals(type.superName);
    AbstractInsnNode value = MutantFinder.before(store);
    boolean isNothing =
        MutantFinder.isZero(value) || value != null && value.getOpcode() == Opcodes.ACONST_NULL;
    return isMadeElsewhere || isNothing || place(store) < afterAbove();
  }

  /** Where the constructor above was called. */
  private int afterAbove() {
    int made = 0;
    for (int at = 0; at < code.length; at++) {
      if (code[at].getOpcode() == Opcodes.NEW) {
        made++;
      } else if (code[at].getOpcode() == Opcodes.INVOKESPECIAL
          && ((MethodInsnNode) code[at]).name.equals("<init>")
          && --made < 0) {
        return at;
      }
    }
    return code.length;
  }

  /** Whether the whole method is. */
  boolean isAll() {
    boolean isSynthetic = (method.access & Opcodes.ACC_SYNTHETIC) != 0;
    return isSynthetic && !method.name.startsWith("lambda$")
        || (method.access & Opcodes.ACC_BRIDGE) != 0
        || method.name.equals("<clinit>")
        || method.name.startsWith("$")
        || isOfEnum()
        || isOfRecord()
        || isGenerated(method.visibleAnnotations)
        || isGenerated(method.invisibleAnnotations)
        || isGenerated(type.visibleAnnotations)
        || isGenerated(type.invisibleAnnotations);
  }

  private boolean isOfEnum() {
    boolean isEnum = "java/lang/Enum".equals(type.superName);
    boolean isValues = method.name.equals("values") && method.desc.startsWith("()");
    boolean isValueOf =
        method.name.equals("valueOf") && method.desc.startsWith("(Ljava/lang/String;)");
    return isEnum && (isValues || isValueOf);
  }

  private boolean isOfRecord() {
    if (!"java/lang/Record".equals(type.superName)) {
      return false;
    }
    if (method.desc.startsWith("()") && givesOnly(method.name)) {
      return true;
    }
    for (AbstractInsnNode node : code) {
      if (node instanceof InvokeDynamicInsnNode) {
        Handle maker = ((InvokeDynamicInsnNode) node).bsm;
        if (maker.getOwner().equals("java/lang/runtime/ObjectMethods")) {
          return true;
        }
      }
    }
    return false;
  }

  /** {@code return x;} */
  private boolean givesOnly(String field) {
    List<AbstractInsnNode> real =
        Arrays.stream(code).filter(one -> one.getOpcode() >= 0).collect(Collectors.toList());
    return real.size() == 3
        && real.get(1).getOpcode() == Opcodes.GETFIELD
        && ((FieldInsnNode) real.get(1)).name.equals(field);
  }

  private static boolean isGenerated(List<AnnotationNode> annotations) {
    return annotations != null
        && annotations.stream().anyMatch(one -> one.desc.endsWith("Generated;"));
  }

  /** {@code if (!$assertionsDisabled && ..) throw ..} */
  private boolean isAssertion(AbstractInsnNode node) {
    if (node.getOpcode() != Opcodes.GETSTATIC
        || !((FieldInsnNode) node).name.equals("$assertionsDisabled")) {
      return false;
    }
    AbstractInsnNode next = next(place(node));
    return next != null && next.getOpcode() == Opcodes.IFNE;
  }

  /** {@code switch (text.hashCode())}, in which the text is compared. */
  private boolean isSearch(AbstractInsnNode node) {
    if (!(node instanceof MethodInsnNode)) {
      return false;
    }
    MethodInsnNode call = (MethodInsnNode) node;
    return call.owner.equals("java/lang/String")
        && call.name.equals("hashCode")
        && next(place(node)) instanceof LookupSwitchInsnNode;
  }

  /** {@code outer.new Inner()}, {@code one::size}: the object is not null. */
  private boolean isNullCheck(int at) {
    AbstractInsnNode before = MutantFinder.before(code[at]);
    return code[at] instanceof MethodInsnNode
        && ((MethodInsnNode) code[at]).owner.equals("java/util/Objects")
        && ((MethodInsnNode) code[at]).desc.equals("(Ljava/lang/Object;)Ljava/lang/Object;")
        && before != null
        && before.getOpcode() == Opcodes.DUP
        && next(at) != null
        && next(at).getOpcode() == Opcodes.POP;
  }

  /** {@code "a" + b}, where no instruction of its own does it. */
  private void texts() {
    int open = 0;
    for (int at = 0; at < code.length; at++) {
      if (!(code[at] instanceof MethodInsnNode)) {
        continue;
      }
      MethodInsnNode call = (MethodInsnNode) code[at];
      if (!call.owner.equals("java/lang/StringBuilder")) {
        continue;
      }
      if (call.name.equals("<init>")) {
        open += call.desc.equals("()V") && isForPart(next(at)) ? 1 : 0;
      } else if (open > 0 && call.name.equals("append")) {
        places.set(at);
      } else if (open > 0 && call.name.equals("toString")) {
        open--;
      }
    }
  }

  /** Whether what follows a new builder may be the first part of the text. */
  private static boolean isForPart(AbstractInsnNode next) {
    int opcode = next == null ? Opcodes.ATHROW : next.getOpcode();
    boolean isLoad = opcode >= Opcodes.ACONST_NULL && opcode <= Opcodes.ALOAD;
    return isLoad
        || opcode == Opcodes.NEW
        || opcode == Opcodes.GETSTATIC
        || opcode == Opcodes.INVOKESTATIC;
  }

  private static LabelNode label(AbstractInsnNode search) {
    return ((LookupSwitchInsnNode) search).dflt;
  }

  /**
   * From the handler on, where it ends by throwing what it caught and a second one is suppressed.
   */
  private void closing(int handler) {
    boolean isClosing = false;
    for (int at = handler; at < code.length; at++) {
      if (code[at] instanceof MethodInsnNode) {
        isClosing |= ((MethodInsnNode) code[at]).name.equals("addSuppressed");
      }
      if (code[at].getOpcode() == Opcodes.ATHROW) {
        if (isClosing) {
          places.set(handler, at);
        }
        return;
      }
    }
  }

  private void until(int from, LabelNode end) {
    int place = place(end);
    if (place > from) {
      places.set(from, place);
    }
  }

  private AbstractInsnNode next(int at) {
    AbstractInsnNode next = code[at].getNext();
    while (next != null && next.getOpcode() < 0) {
      next = next.getNext();
    }
    return next;
  }

  /** The list keeps these as long as it is not changed. */
  private int place(AbstractInsnNode node) {
    return method.instructions.indexOf(node);
  }
}
