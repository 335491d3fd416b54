package io.palus.worker;

/** How a worker JVM ends by itself; the same numbers stand in {@code palus_wire::response}. */
public enum ExitCode {
  /** Asked to. */
  NORMAL(0),
  /** Standard input ended: whoever started it is gone. */
  INPUT_ENDED(80),
  /** A request could not be read. */
  WIRE_DAMAGED(81),
  /** A sequence or a test took longer than its time limit. */
  TIME_USED_UP(82),
  /** The heap is full; what was done is answered first. */
  OUT_OF_MEMORY(83),
  /** A fault of the worker itself; standard error says more. */
  INTERNAL(84),
  /** Wrong arguments of the command line. */
  WRONG_ARGUMENTS(85);

  /** What shutdown hooks may take. */
  private static final int PATIENCE_MILLIS = 5000;

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  /**
   * The number the process ends with.
   *
   * @return it
   */
  public int number() {
    return number;
  }

  /** Ends the JVM at once, without shutdown hooks: some may be the subject's. */
  public void halt() {
    Runtime.getRuntime().halt(number);
  }

  /** Ends the JVM a while later: shutdown hooks of the subject may hang, and ours cannot wait. */
  public void haltLater() {
    Thread thread =
        new Thread(
            () -> {
              try {
                Thread.sleep(PATIENCE_MILLIS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              halt();
            },
            "palus-halt");
    thread.setDaemon(true);
    thread.start();
  }
}
