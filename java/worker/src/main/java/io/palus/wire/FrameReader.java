package io.palus.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Takes frames off a stream. */
public final class FrameReader {
  /** Requests are far shorter; a longer length means that the two sides lost each other. */
  static final int LONGEST = 1 << 26;

  private final InputStream stream;
  private byte[] body = new byte[1 << 16];

  /**
   * Reads from a stream.
   *
   * @param stream the stream; it need not be buffered
   */
  public FrameReader(InputStream stream) {
    this.stream = stream;
  }

  /**
   * Waits for the next frame.
   *
   * @return its body, valid until the next call; null at the end of the stream
   * @throws IOException if the stream breaks off inside a frame or its length cannot be meant
   */
  public ByteReader next() throws IOException {
    int first = stream.read();
    if (first < 0) {
      return null;
    }
    fill(3);
    int length = first | (body[0] & 0xff) << 8 | (body[1] & 0xff) << 16 | (body[2] & 0xff) << 24;
    if (length < 0 || length > LONGEST) {
      throw new WireException("a frame longer than 64 MiB");
    }
    fill(length);
    return new ByteReader(body, length);
  }

  /** How many bytes there is room for now. */
  int room() {
    return body.length;
  }

  /** Room grows with the bytes that come: the length alone may be a lie. */
  private void fill(int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (done == body.length) {
        body = Arrays.copyOf(body, Math.min(length, body.length * 2));
      }
      int read = stream.read(body, done, Math.min(length, body.length) - done);
      if (read < 0) {
        throw new EOFException("the stream ends inside a frame");
      }
      done += read;
    }
  }
}
