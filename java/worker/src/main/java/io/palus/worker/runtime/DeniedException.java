package io.palus.worker.runtime;

/** Thrown instead of doing what a guard denies. */
public final class DeniedException extends SecurityException {
  private static final long serialVersionUID = 1L;

  DeniedException(String what) {
    super("denied by Palus: " + what);
  }
}
