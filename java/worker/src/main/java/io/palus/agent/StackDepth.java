package io.palus.agent;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.AnalyzerAdapter;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * How deep the operand stack of an instrumented method gets. Each slot is part of every frame of
 * the method, so one too many takes depth from the program's recursions.
 */
final class StackDepth {
  /**
   * Enough for all that is added in one place: an entry with an array of arguments, or a long
   * result with its copy.
   */
  private static final int MOST_ADDED = 8;

  private StackDepth() {}

  /** Makes room for what was added to a method, and no more where its frames tell of its stack. */
  static void fit(ClassNode owner, MethodNode method) {
    if ((owner.version & 0xffff) < Opcodes.V1_7) { // may have code without frames
      method.maxStack += MOST_ADDED;
      return;
    }
    MethodVisitor depth =
        new MethodVisitor(Opcodes.ASM9) {
          @Override
          public void visitMaxs(int maxStack, int maxLocals) {
            method.maxStack = maxStack;
          }
        };
    method.accept(
        new AnalyzerAdapter(
            Opcodes.ASM9, owner.name, method.access, method.name, method.desc, depth) {});
  }
}
