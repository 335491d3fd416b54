package io.palus.worker.instrument;

import io.palus.wire.Kinds.Operator;
import org.objectweb.asm.tree.MethodNode;

/** One small change of a class that a good test notices. */
public final class Mutant {
  /** Internal name of the class. */
  public final String owner;

  /** What is changed. */
  public final Operator operator;

  /** The name of the method. */
  public final String method;

  /** Its descriptor. */
  public final String descriptor;

  /** The line; 0 where none is known. */
  public final int line;

  /**
   * The field, the called method or the sign of arithmetic that it is about, as in {@code title},
   * {@code RED.wavelength}, {@code add}; empty for none.
   */
  public final String detail;

  Mutant(String owner, Operator operator, MethodNode method, int line, String detail) {
    this.owner = owner;
    this.operator = operator;
    this.method = method.name;
    this.descriptor = method.desc;
    this.line = line;
    this.detail = detail;
  }
}
