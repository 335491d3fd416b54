package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RatesTest {
  @Test
  void aSmallTransferCostsLittle() {
    assertEquals(1, new Rates().fee(20));
    assertTrue(new Rates().isFree(0));
  }

  @Test
  void aCardIsMasked() {
    assertEquals("12**", new Card("1234").masked());
  }
}
