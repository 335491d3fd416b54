package io.palus.worker.runtime;

/**
 * Marks what code of ours does with files while the subject runs: what the kernel notes of it does
 * not count.
 */
public final class OwnUse {
  private static Runnable pause = () -> {};
  private static Runnable resume = () -> {};

  private OwnUse() {}

  /**
   * Says how the notes are put aside for a while.
   *
   * @param before run before each use of ours
   * @param after run after it
   */
  public static void set(Runnable before, Runnable after) {
    pause = before;
    resume = after;
  }

  /** Uses of other files by way of links are known without asking for each. */
  public static void knowLinks() {
    OwnFiles.knowLinks();
  }

  /** What follows, until {@link #end}, is ours. */
  static void begin() {
    pause.run();
  }

  /** The subject goes on. */
  static void end() {
    resume.run();
  }
}
