package sample;

/** One method may never end, the other always does. */
public class Spinner {
  private int turns;

  public int spin(int steps) {
    while (steps != 0) {
      steps -= 2;
      turns++;
    }
    return turns;
  }

  public void waitForEver() throws InterruptedException {
    synchronized (this) {
      wait();
    }
  }

  public int getTurns() {
    return turns;
  }
}
