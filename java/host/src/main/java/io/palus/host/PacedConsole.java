package io.palus.host;

/**
 * Passes progress on as ordinary lines, at most one in five seconds: for consoles that cannot
 * overwrite a line.
 */
public abstract class PacedConsole implements Console {
  private static final long PAUSE_NANOS = 5_000_000_000L;
  private boolean shown;
  private long last;

  @Override
  public void progress(int done, int all, String text) {
    long now = System.nanoTime();
    if (!shown || now - last >= PAUSE_NANOS) {
      shown = true;
      last = now;
      line(INFO, text);
    }
  }
}
