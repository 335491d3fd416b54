package io.palus.host;

/**
 * Where Palus speaks while it works. Called on the thread that called {@link Palus#generate}; what
 * it throws is ignored.
 */
public interface Console {
  /** For those who look for trouble. */
  int DEBUG = 0;

  /** The ordinary lines. */
  int INFO = 1;

  /** Something the user should know. */
  int WARNING = 2;

  /** A finished line, of one of the levels above. */
  void line(int level, String text);

  /**
   * The state of long work, several times a second: replaces the state before it on a terminal and
   * may be dropped elsewhere. {@code all} is 0 where nothing is counted; the text says the same in
   * words, without a bar.
   */
  void progress(int done, int all, String text);
}
