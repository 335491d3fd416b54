package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AdderTest {
  @Test
  void sumsUp() {
    Adder adder = new Adder();
    adder.add(2);
    assertEquals(5, adder.add(3));
  }

  @Test
  void believesInFive() {
    assertEquals(5, new Adder().add(4));
  }
}
