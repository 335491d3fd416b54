package io.palus.worker.instrument;

import io.palus.wire.Kinds.Operator;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;

/** An instruction that has mutants. */
final class MutantSite {
  final AbstractInsnNode node;
  final int line;

  /** Its mutants are numbered in this order. */
  final List<Operator> operators;

  /** The field, the called method or the sign of arithmetic that they are about; empty for none. */
  final String detail;

  MutantSite(AbstractInsnNode node, int line, List<Operator> operators, String detail) {
    this.node = node;
    this.line = line;
    this.operators = operators;
    this.detail = detail;
  }

  /** False for a call that something else took the place of. */
  boolean isInCode() {
    return node.getNext() != null || node.getPrevious() != null;
  }
}
