package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RecordLimitTest {
  @Test
  void one_record_has_a_greatest_length() {
    RecordBuffer buffer = new RecordBuffer(64);
    byte[] piece = new byte[1 << 20];
    for (int i = 0; i < 16; i++) {
      buffer.raw(piece, 0, piece.length);
    }
    assertEquals(RecordBuffer.LONGEST, buffer.length);
    assertThrows(IllegalStateException.class, () -> buffer.put(1));
    assertEquals(RecordBuffer.LONGEST, buffer.bytes.length);
  }
}
