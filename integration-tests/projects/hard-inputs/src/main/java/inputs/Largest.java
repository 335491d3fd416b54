package inputs;

/** A type variable whose bound names itself. */
public class Largest<T extends Comparable<T>> {
  private T largest;

  public String offer(T value) {
    if (largest != null && value.compareTo(largest) < 0) {
      return "reached a smaller value";
    }
    largest = value;
    return "taken";
  }
}
