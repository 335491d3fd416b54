package city;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

class GateTest {
  @Test
  void nobodyOpenedItInThisJvm() {
    assertFalse(Gate.isOpen());
  }
}
