package ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LedgerTest {
  @Test
  void theBalanceIsTheSum() {
    Ledger ledger = new Ledger();
    ledger.record(50);
    ledger.record(-20);
    assertEquals(30, ledger.balance());
  }
}
