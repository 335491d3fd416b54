package io.palus.worker.instrument;

import io.palus.wire.Kinds.Operator;

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

  Mutant(String owner, Operator operator, String method, String descriptor, int line) {
    this.owner = owner;
    this.operator = operator;
    this.method = method;
    this.descriptor = descriptor;
    this.line = line;
  }
}
