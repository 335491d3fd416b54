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

  /** The field, the called method or the sign of arithmetic that it is about; empty for none. */
  public final String detail;

  Mutant(String owner, Operator operator, MethodNode method, MutantSite site) {
    this.owner = owner;
    this.operator = operator;
    this.method = method.name;
    this.descriptor = method.desc;
    this.line = site.line;
    this.detail = site.detail;
  }
}
