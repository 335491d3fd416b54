package io.palus.maven;

import io.palus.host.PacedConsole;
import org.apache.maven.plugin.logging.Log;

/** Palus's lines in Maven's log. */
final class MavenConsole extends PacedConsole {
  private final Log log;

  MavenConsole(Log log) {
    this.log = log;
  }

  @Override
  public void line(int level, String text) {
    if (level >= WARNING) {
      log.warn(text);
    } else if (level == INFO) {
      log.info(text);
    } else {
      log.debug(text);
    }
  }
}
