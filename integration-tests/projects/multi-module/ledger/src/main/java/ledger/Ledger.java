package ledger;

import java.util.ArrayList;
import java.util.List;

/** Amounts in the order they came. */
public class Ledger {
  private final List<Integer> amounts = new ArrayList<>();

  public void record(int amount) {
    if (amount == 0) {
      throw new IllegalArgumentException("nothing to record");
    }
    amounts.add(amount);
  }

  public int balance() {
    int sum = 0;
    for (int amount : amounts) {
      sum += amount;
    }
    return sum;
  }
}
