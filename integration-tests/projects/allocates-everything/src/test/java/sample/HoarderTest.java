package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HoarderTest {
  @Test
  void boxesAreCounted() {
    Hoarder hoarder = new Hoarder();
    hoarder.put(2);
    assertEquals(5, hoarder.put(3));
  }
}
