package two;

/** Counts. */
public class Counter {
  private int count;

  public int next() {
    return ++count;
  }
}
