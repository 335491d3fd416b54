package bank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ledger.Ledger;
import org.junit.jupiter.api.Test;

class AccountTest {
  @Test
  void depositsAndWithdrawalsMoveTheBalance() {
    Account account = new Account("ann", new Ledger());
    account.deposit(50);
    account.withdraw(20);
    assertEquals(30, account.balance());
  }
}
