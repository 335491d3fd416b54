package io.palus.worker;

import java.io.UnsupportedEncodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.ErrorManager;
import java.util.logging.Filter;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** How {@code java.util.logging} is set up. */
final class Loggers {
  /** Loggers are held, so that they stay while they are compared. */
  private final Map<String, Logger> held = new HashMap<>();

  private final Map<String, Setup> setups = new HashMap<>();

  private Loggers() {
    LogManager manager = LogManager.getLogManager();
    for (String name : Collections.list(manager.getLoggerNames())) {
      Logger logger = manager.getLogger(name);
      Setup setup = logger == null ? Setup.FRESH : Setup.of(logger);
      if (logger != null && (name.isEmpty() || !setup.equals(Setup.FRESH))) {
        held.put(name, logger);
        setups.put(name, setup);
      }
    }
  }

  static Loggers now() {
    return new Loggers();
  }

  void restore() {
    Loggers now = now();
    now.held.forEach(
        (name, logger) -> setups.getOrDefault(name, Setup.FRESH).putInto(name, logger));
    held.forEach((name, logger) -> setups.get(name).putInto(name, logger));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Loggers && setups.equals(((Loggers) other).setups);
  }

  @Override
  public int hashCode() {
    return 0;
  }

  private static final class Setup {
    static final Setup FRESH =
        new Setup(null, null, true, Collections.emptyList(), Collections.emptyList());

    private final Level level;
    private final Filter filter;
    private final boolean usesParent;
    private final List<Handler> handlers;
    private final List<HandlerSetup> handlerSetups;

    private Setup(
        Level level,
        Filter filter,
        boolean usesParent,
        List<Handler> handlers,
        List<HandlerSetup> handlerSetups) {
      this.level = level;
      this.filter = filter;
      this.usesParent = usesParent;
      this.handlers = handlers;
      this.handlerSetups = handlerSetups;
    }

    static Setup of(Logger logger) {
      List<Handler> handlers = Arrays.asList(logger.getHandlers());
      List<HandlerSetup> setups = new ArrayList<>();
      handlers.forEach(handler -> setups.add(new HandlerSetup(handler)));
      return new Setup(
          logger.getLevel(), logger.getFilter(), logger.getUseParentHandlers(), handlers, setups);
    }

    void putInto(String name, Logger logger) {
      if (equals(of(logger)) || name.isEmpty() && this == FRESH) {
        return;
      }
      logger.setLevel(level);
      logger.setFilter(filter);
      logger.setUseParentHandlers(usesParent);
      for (Handler handler : logger.getHandlers()) {
        logger.removeHandler(handler);
      }
      for (int i = 0; i < handlers.size(); i++) {
        logger.addHandler(handlers.get(i));
        handlerSetups.get(i).putInto(handlers.get(i));
      }
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Setup)) {
        return false;
      }
      Setup that = (Setup) other;
      return Objects.equals(level, that.level)
          && filter == that.filter
          && usesParent == that.usesParent
          && handlers.equals(that.handlers)
          && handlerSetups.equals(that.handlerSetups);
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

  private static final class HandlerSetup {
    private final Level level;
    private final Filter filter;
    private final Formatter formatter;
    private final String encoding;
    private final ErrorManager errors;

    HandlerSetup(Handler handler) {
      level = handler.getLevel();
      filter = handler.getFilter();
      formatter = handler.getFormatter();
      encoding = handler.getEncoding();
      errors = handler.getErrorManager();
    }

    void putInto(Handler handler) {
      handler.setLevel(level);
      handler.setFilter(filter);
      if (formatter != null) {
        handler.setFormatter(formatter);
      }
      handler.setErrorManager(errors);
      try {
        handler.setEncoding(encoding);
      } catch (UnsupportedEncodingException e) { // it had this one
        throw new IllegalStateException(e);
      }
    }

    /** A formatter where there was none is no change: no handler can do without one again. */
    @Override
    public boolean equals(Object other) {
      if (!(other instanceof HandlerSetup)) {
        return false;
      }
      HandlerSetup that = (HandlerSetup) other;
      return Objects.equals(level, that.level)
          && filter == that.filter
          && (formatter == null || formatter == that.formatter)
          && Objects.equals(encoding, that.encoding)
          && errors == that.errors;
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }
}
