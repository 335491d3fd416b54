package io.palus.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.junit.jupiter.api.Test;

class FrameLimitTest {
  /** Gives this many zeros. */
  private static InputStream zeros(long count) {
    return new InputStream() {
      private long left = count;

      @Override
      public int read() {
        return left-- > 0 ? 0 : -1;
      }
    };
  }

  private static InputStream frame(int length, InputStream body) {
    byte[] header = new byte[4];
    for (int i = 0; i < 4; i++) {
      header[i] = (byte) (length >> 8 * i);
    }
    return new SequenceInputStream(new ByteArrayInputStream(header), body);
  }

  @Test
  void a_length_that_cannot_be_meant_is_damage() {
    byte[] text = "log with some text in it".getBytes();
    assertThrows(WireException.class, () -> new FrameReader(new ByteArrayInputStream(text)).next());
    for (int length : new int[] {FrameReader.LONGEST + 1, Integer.MAX_VALUE, -1}) {
      FrameReader reader = new FrameReader(frame(length, zeros(10)));
      WireException refused = assertThrows(WireException.class, reader::next);
      assertTrue(refused.getMessage().contains("64 MiB"), refused.getMessage());
    }
  }

  @Test
  void room_is_made_as_bytes_arrive_and_not_for_what_a_length_promises() throws IOException {
    FrameReader broken = new FrameReader(frame(FrameReader.LONGEST, zeros(10)));
    assertThrows(EOFException.class, broken::next);
    assertEquals(1 << 16, broken.room());

    int length = (1 << 20) + 3;
    ByteReader whole = new FrameReader(frame(length, zeros(length))).next();
    for (int i = 0; i < length; i++) {
      assertEquals(0, whole.get());
    }
    whole.end();
  }

  @Test
  void more_than_a_frame_holds_is_refused_and_can_be_taken_back() throws IOException {
    FrameWriter writer = new FrameWriter(new ByteArrayOutputStream());
    ByteWriter body = writer.begin();
    byte[] piece = new byte[1 << 20];
    int pieces = 0;
    while (body.length() + piece.length <= ByteWriter.LONGEST) {
      body.raw(piece);
      pieces++;
    }
    assertEquals(63, pieces);
    OutOfMemoryError full = assertThrows(OutOfMemoryError.class, () -> body.raw(piece));
    assertTrue(full.getMessage().contains("64 MiB"), full.getMessage());
    int length = body.length();
    body.truncate(4);
    body.put(7);
    writer.send();
    assertTrue(length > 5);
    assertThrows(OutOfMemoryError.class, () -> body.raw(new byte[ByteWriter.LONGEST]));
  }
}
