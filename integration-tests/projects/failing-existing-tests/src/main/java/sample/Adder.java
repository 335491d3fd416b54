package sample;

/** Adds, with one wrong belief about it among the tests. */
public class Adder {
  private int sum;

  public int add(int number) {
    sum += number;
    return sum;
  }

  public boolean isEven() {
    return sum % 2 == 0;
  }
}
