package io.palus.worker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Filter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** How {@code java.util.logging} is set up; nothing as long as nobody has used it. */
final class Loggers {
  private static final Globals.Place MANAGER =
      Globals.Place.of("java.util.logging.LogManager", "manager");

  /** Loggers are held, so that they stay while they are compared. */
  private final Map<String, Logger> held = new HashMap<>();

  private final Map<String, Setup> setups = new HashMap<>();

  private Loggers() {
    if (MANAGER.read() == null) {
      return;
    }
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

  private boolean isUnused() {
    return setups.isEmpty();
  }

  /** The first use of all is no change. */
  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Loggers)) {
      return false;
    }
    Map<String, Setup> mine = new HashMap<>(setups);
    Map<String, Setup> its = new HashMap<>(((Loggers) other).setups);
    if (isUnused() || ((Loggers) other).isUnused()) {
      mine.remove("");
      its.remove("");
    }
    return mine.equals(its);
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
    private final List<Level> handlerLevels;

    private Setup(
        Level level,
        Filter filter,
        boolean usesParent,
        List<Handler> handlers,
        List<Level> handlerLevels) {
      this.level = level;
      this.filter = filter;
      this.usesParent = usesParent;
      this.handlers = handlers;
      this.handlerLevels = handlerLevels;
    }

    static Setup of(Logger logger) {
      List<Handler> handlers = Arrays.asList(logger.getHandlers());
      List<Level> levels = new ArrayList<>();
      handlers.forEach(handler -> levels.add(handler.getLevel()));
      return new Setup(
          logger.getLevel(), logger.getFilter(), logger.getUseParentHandlers(), handlers, levels);
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
        handlers.get(i).setLevel(handlerLevels.get(i));
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
          && handlerLevels.equals(that.handlerLevels);
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }
}
