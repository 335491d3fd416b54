package planted;

/** P201: once somebody passed, it no longer looks whether it is closed. */
public class Turnstile {
  private boolean open = true;
  private int passed;

  public int pass() {
    if (!open && passed == 0) {
      throw new IllegalStateException("closed");
    }
    return ++passed;
  }

  public void close() {
    open = false;
  }
}
