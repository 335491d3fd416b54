package io.palus.worker;

/** A statement that cannot be linked or called at all. */
final class UnusableException extends Exception {
  private static final long serialVersionUID = 1L;

  UnusableException(Throwable cause) {
    super(String.valueOf(cause), cause, false, false);
  }

  UnusableException(String text) {
    super(text, null, false, false);
  }
}
