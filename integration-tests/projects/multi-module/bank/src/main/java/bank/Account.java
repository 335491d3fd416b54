package bank;

import ledger.Ledger;

/** An account keeps its movements in a ledger of another module. */
public class Account {
  private final Ledger ledger;
  private final String owner;

  public Account(String owner, Ledger ledger) {
    this.owner = owner;
    this.ledger = ledger;
  }

  public void deposit(int amount) {
    ledger.record(amount);
  }

  public void withdraw(int amount) {
    if (amount > ledger.balance()) {
      throw new IllegalStateException(owner + " has not that much");
    }
    ledger.record(-amount);
  }

  public int balance() {
    return ledger.balance();
  }
}
