package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AlarmTest {
  @Test
  void adds() {
    assertEquals(3, new Alarm().plus(3));
    assertEquals(2, new AlarmUser().plain(1));
  }
}
