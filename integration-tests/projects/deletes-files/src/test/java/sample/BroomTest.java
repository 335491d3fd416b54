package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BroomTest {
  @Test
  void nothingIsSweptAtFirst() {
    assertEquals(2, new Broom().count(2));
  }
}
