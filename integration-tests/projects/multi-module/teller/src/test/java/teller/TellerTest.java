package teller;

import static org.junit.jupiter.api.Assertions.assertEquals;

import bank.Account;
import ledger.Ledger;
import org.junit.jupiter.api.Test;

class TellerTest {
  @Test
  void whatOneLosesTheOtherGets() {
    Account ann = new Account("ann", new Ledger());
    Account ben = new Account("ben", new Ledger());
    ann.deposit(50);
    assertEquals(30, new Teller().transfer(ann, ben, 20));
    assertEquals(20, ben.balance());
  }
}
