package io.palus.wire;

import java.io.IOException;
import java.io.OutputStream;

/** Puts frames on a stream, each in one write. */
public final class FrameWriter {
  private static final int HEADER = 4;

  private final OutputStream stream;
  private final ByteWriter bytes = new ByteWriter();

  /**
   * Writes to a stream.
   *
   * @param stream the stream; it need not be buffered
   */
  public FrameWriter(OutputStream stream) {
    this.stream = stream;
  }

  /**
   * Begins a frame.
   *
   * @return where its body goes; {@link #send} ends it
   */
  public ByteWriter begin() {
    bytes.clear();
    bytes.fixed32(0);
    return bytes;
  }

  /**
   * Sends the frame begun last.
   *
   * @throws IOException if nobody listens
   */
  public void send() throws IOException {
    bytes.setFixed32(0, bytes.length() - HEADER);
    stream.write(bytes.array(), 0, bytes.length());
    stream.flush();
  }
}
