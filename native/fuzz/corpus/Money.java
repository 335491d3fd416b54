// Compiled with -g:none --release 8; then `own = currency` (2d 3a 04) became three times nothing (00 00 00), so that a
// value comes from itself.
package demo; public final class Money {
  private final long cents; private final String currency;
  Money(long cents, String currency) {
    String own = currency;
    do { own = own; cents--; } while (cents > 0);
    this.cents = 1; this.currency = own;
  }
  public boolean equals(Object other) {
    return other instanceof Money && cents == ((Money) other).cents && currency.equals(((Money) other).currency());
  }
  public String currency() { return currency; }
}
