package io.palus.worker.instrument;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.AnalyzerAdapter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;

/** What the verifier knows before and after instructions of a method. */
final class KnownFrames {
  private static final int SINCE = 50;

  private final boolean areNeeded;

  /** By site; null where the verifier never comes. */
  private final List<FrameNode> before = new ArrayList<>();

  private final List<FrameNode> after = new ArrayList<>();

  /**
   * Looks at the code as it is now.
   *
   * @param sites in the order of the code
   */
  KnownFrames(String owner, MethodNode method, int majorVersion, List<MutantSite> sites) {
    areNeeded = majorVersion >= SINCE;
    if (areNeeded) {
      find(
          new AnalyzerAdapter(owner, method.access, method.name, method.desc, null), method, sites);
    }
  }

  private void find(AnalyzerAdapter known, MethodNode method, List<MutantSite> sites) {
    labelNews(method.instructions);
    AbstractInsnNode node = method.instructions.getFirst();
    for (MutantSite site : sites) {
      if (!site.isInCode()) {
        before.add(null);
        after.add(null);
        continue;
      }
      for (; node != site.node; node = node.getNext()) {
        node.accept(known);
      }
      before.add(frame(known));
      for (boolean isOver = false; !isOver; node = node.getNext()) {
        node.accept(known);
        isOver = node == site.last;
      }
      after.add(frame(known));
    }
  }

  /** A frame names an object that is not initialised by a label right before its {@code new}. */
  private static void labelNews(InsnList code) {
    for (AbstractInsnNode node : code.toArray()) {
      if (node.getOpcode() == Opcodes.NEW) {
        code.insertBefore(node, new LabelNode());
      }
    }
    for (AbstractInsnNode node = code.getFirst(); node != null; node = node.getNext()) {
      if (node instanceof LabelNode) {
        ((LabelNode) node).getLabel().info = node;
      }
    }
  }

  private static FrameNode frame(AnalyzerAdapter known) {
    if (known.locals == null) {
      return null;
    }
    Object[] locals = narrow(known.locals);
    Object[] stack = narrow(known.stack);
    return new FrameNode(Opcodes.F_NEW, locals.length, locals, stack.length, stack);
  }

  /** Without the second halves of long and double. */
  private static Object[] narrow(List<Object> types) {
    List<Object> narrow = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      Object type = types.get(i);
      narrow.add(type instanceof Label ? ((Label) type).info : type);
      if (type == Opcodes.LONG || type == Opcodes.DOUBLE) {
        i++;
      }
    }
    return narrow.toArray();
  }

  /** False where frames are needed and none can be written. */
  boolean has(int site) {
    return !areNeeded || before.get(site) != null;
  }

  void addBefore(InsnList code, int site) {
    add(code, before, site);
  }

  void addAfter(InsnList code, int site) {
    add(code, after, site);
  }

  private void add(InsnList code, List<FrameNode> frames, int site) {
    if (areNeeded) {
      FrameNode frame = frames.get(site);
      Object[] locals = frame.local.toArray();
      Object[] stack = frame.stack.toArray();
      code.add(new FrameNode(Opcodes.F_NEW, locals.length, locals, stack.length, stack));
    }
  }
}
