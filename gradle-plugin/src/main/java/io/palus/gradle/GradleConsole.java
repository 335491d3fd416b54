package io.palus.gradle;

import io.palus.host.PacedConsole;
import org.gradle.api.logging.Logger;

/** Palus's lines in Gradle's log; nothing of it under {@code -q}. */
final class GradleConsole extends PacedConsole {
  private final Logger logger;

  GradleConsole(Logger logger) {
    this.logger = logger;
  }

  @Override
  public void line(int level, String text) {
    if (level >= WARNING) {
      logger.warn(text);
    } else if (level == INFO) {
      logger.lifecycle(text);
    } else {
      logger.info(text);
    }
  }
}
