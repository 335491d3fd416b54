package sample;

/** What a transfer costs. */
public class Rates {
  public int fee(int amount) {
    return amount > 100 ? 5 : 1;
  }

  public boolean isFree(int amount) {
    return amount == 0;
  }
}
