package planted;

import java.io.Serializable;

/** P117: says that it can be written, and holds what cannot. */
public class HoldsLock implements Serializable {
  private static final long serialVersionUID = 1;
  private final Object lock = new Object();
  private int count;

  public int next() {
    synchronized (lock) {
      return ++count;
    }
  }
}
