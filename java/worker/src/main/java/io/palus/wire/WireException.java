package io.palus.wire;

import java.io.IOException;

/** Bytes that break the format. */
public final class WireException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Says what is wrong.
   *
   * @param message what was expected, and where
   */
  public WireException(String message) {
    super(message);
  }
}
