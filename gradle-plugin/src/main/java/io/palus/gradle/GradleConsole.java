package io.palus.gradle;

import io.palus.host.PacedConsole;
import org.gradle.api.logging.LogLevel;
import org.gradle.api.logging.Logger;

/** Palus's lines in Gradle's log. */
final class GradleConsole extends PacedConsole {
  private final Logger logger;
  private final LogLevel info;

  private GradleConsole(Logger logger, LogLevel info) {
    this.logger = logger;
    this.info = info;
  }

  /** For a task that works: nothing but warnings under {@code -q}. */
  static GradleConsole working(Logger logger) {
    return new GradleConsole(logger, LogLevel.LIFECYCLE);
  }

  /** For a task that was asked something: the answer is shown under {@code -q} too. */
  static GradleConsole answering(Logger logger) {
    return new GradleConsole(logger, LogLevel.QUIET);
  }

  @Override
  public void line(int level, String text) {
    if (level >= WARNING) {
      logger.warn(text);
    } else if (level == INFO) {
      logger.log(info, text);
    } else {
      logger.info(text);
    }
  }
}
