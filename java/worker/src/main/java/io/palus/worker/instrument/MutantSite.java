package io.palus.worker.instrument;

import io.palus.wire.Kinds.Operator;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;

/** An instruction that has mutants. */
final class MutantSite {
  final AbstractInsnNode node;

  /** The last instruction that a mutant leaves out: what throws a result away, or the same. */
  final AbstractInsnNode last;

  final int line;

  /** Its mutants are numbered in this order. */
  final List<Operator> operators;

  /** The field, the called method or the sign of arithmetic that they are about; empty for none. */
  final String detail;

  MutantSite(AbstractInsnNode node, int line, List<Operator> operators, String detail) {
    this.node = node;
    this.last =
        operators.get(0) == Operator.NON_VOID_METHOD_CALLS && node.getNext() != null
            ? node.getNext()
            : node;
    this.line = line;
    this.operators = operators;
    this.detail = detail;
  }

  /** False for a call that something else took the place of. */
  boolean isInCode() {
    return node.getNext() != null || node.getPrevious() != null;
  }
}
