package io.palus.host;

import java.io.Console;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;

/**
 * Shows progress as one line at the bottom of a terminal, rewritten in place, and clears it before
 * any other line.
 */
public abstract class TerminalConsole implements io.palus.host.Console {
  private static final int BAR = 25;
  private static final int WIDTH = 79;

  /** To the start of the line, and clear to its end. */
  private static final String CLEAR = "\r\u001b[K";

  private final PrintStream terminal;
  private boolean shown;

  /** Writes its bar to the terminal. */
  protected TerminalConsole(PrintStream terminal) {
    this.terminal = terminal;
  }

  /** Whether a person looks at this JVM's output as it comes. */
  public static boolean isTerminal() {
    Console console = System.console();
    if (console == null || "dumb".equals(System.getenv("TERM"))) {
      return false;
    }
    try {
      // From Java 22 on there is a console where there is no terminal, and a method that tells.
      return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException e) {
      return false;
    }
  }

  @Override
  public final void line(int level, String text) {
    clear();
    print(level, text);
  }

  /** Writes a line where the build tool writes lines. */
  protected abstract void print(int level, String text);

  @Override
  public final void progress(int done, int all, String text) {
    terminal.print(CLEAR + bar(done, all, text));
    terminal.flush();
    shown = true;
  }

  /** Takes the bar away; what is written next begins a line. */
  public final void clear() {
    if (shown) {
      terminal.print(CLEAR);
      terminal.flush();
      shown = false;
    }
  }

  /** {@code generate [=====> ] 27/38 classes ...}, no longer than a line. */
  static String bar(int done, int all, String text) {
    String line = text;
    if (all > 0) {
      int space = text.indexOf(' ');
      int name = space < 0 ? 0 : space;
      int rest = name;
      while (rest < text.length() && text.charAt(rest) == ' ') {
        rest++;
      }
      int full = (int) ((long) BAR * Math.min(done, all) / all);
      StringBuilder bar = new StringBuilder(text.substring(0, rest)).append('[');
      for (int i = 0; i < BAR; i++) {
        bar.append(i < full ? '=' : i == full ? '>' : ' ');
      }
      line = bar.append("] ").append(text.substring(rest)).toString();
    }
    return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 1) + "\u2026";
  }
}
