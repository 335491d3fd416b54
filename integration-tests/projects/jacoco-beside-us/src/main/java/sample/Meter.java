package sample;

/** Measured by the project's own JaCoCo too. */
public class Meter {
  private int value;

  public void up() {
    value++;
  }

  public String show(int limit) {
    if (value > limit) {
      return "above";
    }
    return value == limit ? "at" : "below";
  }
}
