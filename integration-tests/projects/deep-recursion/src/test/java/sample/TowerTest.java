package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TowerTest {
  @Test
  void threeFloors() {
    assertEquals(3, new Tower().height(3));
  }
}
