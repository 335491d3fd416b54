package io.palus.worker;

import java.lang.reflect.Field;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.logging.MemoryHandler;
import java.util.logging.StreamHandler;

/**
 * Handlers of {@code java.util.logging} that do more than to write to a standard stream. When the
 * JVM ends, all of a logger's are closed, by a hook that logging has: what they then do is seen by
 * nobody, as what a shutdown hook does.
 *
 * <p>Comes in: the loggers that there are. Goes out: such handlers, and whether one is such.
 */
final class ClosedAtExit {
  private static final Memory MEMORY = Memory.open();
  private static final long UNKNOWN = -1;
  private static final long OUTPUT = place(StreamHandler.class, "output");
  private static final long TARGET = place(MemoryHandler.class, "target");

  private final Set<Handler> handlers = Collections.newSetFromMap(new IdentityHashMap<>());

  private ClosedAtExit() {
    each((logger, handler) -> handlers.add(handler));
  }

  /** Goes through all such handlers, with the logger that each is of. */
  private static void each(BiConsumer<Logger, Handler> found) {
    LogManager manager = LogManager.getLogManager();
    for (String name : Collections.list(manager.getLoggerNames())) {
      Logger logger = manager.getLogger(name);
      for (Handler handler : logger == null ? new Handler[0] : logger.getHandlers()) {
        if (mayDoAnything(handler)) {
          found.accept(logger, handler);
        }
      }
    }
  }

  static ClosedAtExit now() {
    return new ClosedAtExit();
  }

  /** Removes from all loggers those that were not there. */
  void restore() {
    each(
        (logger, handler) -> {
          if (!handlers.contains(handler)) {
            logger.removeHandler(handler);
          }
        });
  }

  /**
   * Whether what logging gets may run code of the program's when the JVM ends, or write elsewhere.
   *
   * @param given a handler for a logger, or a logger of which logging is to know
   */
  static boolean mayDoAnything(Object given) {
    if (given == null || given instanceof Logger) {
      return given != null && given.getClass().getClassLoader() != null;
    }
    Class<?> type = given.getClass();
    if (type == ConsoleHandler.class) {
      return false; // is not closed, but flushed
    }
    if (type == MemoryHandler.class && TARGET != UNKNOWN) {
      return mayDoAnything(MEMORY.getObject(given, TARGET));
    }
    if (type == StreamHandler.class && OUTPUT != UNKNOWN) {
      Formatter formatter = ((Handler) given).getFormatter(); // is asked for what ends a log
      return !isStandard(MEMORY.getObject(given, OUTPUT))
          || formatter != null && formatter.getClass().getClassLoader() != null;
    }
    return true;
  }

  private static boolean isStandard(Object output) {
    return output == null || output == System.out || output == System.err;
  }

  private static long place(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      return MEMORY == null ? UNKNOWN : MEMORY.objectFieldOffset(field);
    } catch (NoSuchFieldException e) {
      return UNKNOWN;
    }
  }

  /** One less is no change: its logger may be gone. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ClosedAtExit && handlers.containsAll(((ClosedAtExit) other).handlers);
  }

  @Override
  public int hashCode() {
    return 0;
  }
}
