package io.palus.worker.runtime;

import java.util.function.Predicate;

/** Handlers that {@code java.util.logging} is given, which closes them when the JVM ends. */
public final class LogHandlers {
  private static volatile Predicate<Object> mayDoAnything = given -> given != null;

  private LogHandlers() {}

  /**
   * A logger is about to get a handler, or logging a logger.
   *
   * @param given the handler or logger
   * @param what what the subject wants to do
   */
  public static void added(Object given, String what) {
    Changes.toSystem();
    if (mayDoAnything.test(given)) {
      Guard.deny(what);
    }
  }

  // What the worker calls.

  /**
   * Says which are denied.
   *
   * @param such true for one that may do anything when the JVM ends
   */
  public static void deny(Predicate<Object> such) {
    mayDoAnything = such;
  }
}
