package planted;

/** Clean: lets nobody through once it is closed. */
public class Gate {
  private boolean open = true;
  private int passed;

  public int pass() {
    if (!open) {
      throw new IllegalStateException("closed");
    }
    return ++passed;
  }

  public void close() {
    open = false;
  }
}
