package teller;

import bank.Account;

/** Moves money from one account to another; ledgers lie a module further. */
public class Teller {
  public int transfer(Account from, Account to, int amount) {
    from.withdraw(amount);
    to.deposit(amount);
    return from.balance();
  }
}
