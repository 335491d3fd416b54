package io.palus.worker.instrument;

/** A class cannot take its guards, and must not be loaded without them. */
public final class UnguardableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnguardableException(RuntimeException cause) {
    super("it cannot take guards against harm: " + cause, cause);
  }
}
