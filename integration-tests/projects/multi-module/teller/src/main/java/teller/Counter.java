package teller;

/** Which counter is open: knows no account. */
public class Counter {
  public boolean isOpen(int hour) {
    return hour >= 9 && hour < 17;
  }
}
