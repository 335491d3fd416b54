package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class QuitterTest {
  @Test
  void aCalmQuitterStays() {
    assertEquals(false, new Quitter().wantsOut(1));
  }
}
