package ledger;

/** A month of a year: knows no amounts. */
public class Month {
  private final int number;

  public Month(int number) {
    if (number < 1 || number > 12) {
      throw new IllegalArgumentException("no month: " + number);
    }
    this.number = number;
  }

  public int quarter() {
    return (number + 2) / 3;
  }
}
