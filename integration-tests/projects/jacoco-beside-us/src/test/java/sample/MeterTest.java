package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MeterTest {
  @Test
  void oneIsAboveZero() {
    Meter meter = new Meter();
    meter.up();
    assertEquals("above", meter.show(0));
  }
}
