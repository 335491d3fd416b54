package io.palus.worker.runtime;

/** Unwinds a sequence that is to end; the reason stands in {@link Probes}, not here. */
public final class StopError extends Error {
  private static final long serialVersionUID = 1L;

  StopError() {
    super("stopped by Palus", null, false, false);
  }
}
