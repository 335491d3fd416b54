package io.palus.maven;

import io.palus.host.Console;
import io.palus.host.PacedConsole;
import io.palus.host.TerminalConsole;
import org.apache.maven.plugin.logging.Log;

/** Palus's lines in Maven's log, and its progress where a person sees it. */
final class MavenConsole {
  private MavenConsole() {}

  /**
   * A console that rewrites a line on a terminal, unless Maven runs in batch mode; nothing but
   * warnings under {@code -q}.
   */
  static Console of(Log log, boolean interactive) {
    if (!log.isInfoEnabled()) {
      return new Lines(log) {
        @Override
        public void progress(int done, int all, String text) {}
      };
    }
    return interactive && TerminalConsole.isTerminal() ? new Terminal(log) : new Lines(log);
  }

  /** A console for the answer to a question, which is shown under {@code -q} too. */
  static Console answering(Log log) {
    return new Lines(log) {
      @Override
      public void line(int level, String text) {
        if (level == INFO && !log.isInfoEnabled()) {
          System.out.println(text);
        } else {
          super.line(level, text);
        }
      }
    };
  }

  private static void print(Log log, int level, String text) {
    if (level >= Console.WARNING) {
      log.warn(text);
    } else if (level == Console.INFO) {
      log.info(text);
    } else {
      log.debug(text);
    }
  }

  /** Ordinary lines. */
  private static class Lines extends PacedConsole {
    private final Log log;

    Lines(Log log) {
      this.log = log;
    }

    @Override
    public void line(int level, String text) {
      print(log, level, text);
    }
  }

  /** Ordinary lines above one that changes. */
  private static final class Terminal extends TerminalConsole {
    private final Log log;

    Terminal(Log log) {
      super(System.out);
      this.log = log;
    }

    @Override
    protected void print(int level, String text) {
      MavenConsole.print(log, level, text);
    }
  }
}
