package io.palus.worker;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Says in a mapped file which sequence runs, so that the engine knows under which one the worker
 * died. {@code native/wire/FORMAT.md} has the layout.
 */
final class Progress {
  private static final long NO_SEQUENCE = 0xffff_ffffL << 32;
  private static final long BEGINNING = 0xffff_ffffL;
  private static final int SIZE = 8;

  private static final Memory DIRECT = Memory.open();

  private final MappedByteBuffer buffer;

  /** Where its bytes are; 0 where its own methods write them. */
  private final long address;

  private long batch;

  private Progress(MappedByteBuffer buffer) {
    this.buffer = buffer;
    boolean isKnown = buffer != null && DIRECT != null && buffer.order() == ByteOrder.nativeOrder();
    this.address = isKnown ? DIRECT.address(buffer) : 0;
  }

  /** Opens the file; null as path keeps no progress. */
  static Progress open(String path) throws IOException {
    if (path == null) {
      return new Progress(null);
    }
    try (RandomAccessFile file = new RandomAccessFile(path, "rw")) {
      file.write(new byte[SIZE]); // a full disk is an error here, not a signal later
      MappedByteBuffer buffer = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
      buffer.order(ByteOrder.LITTLE_ENDIAN);
      Progress progress = new Progress(buffer);
      progress.idle();
      return progress;
    }
  }

  /** An Execute request came. */
  void nextBatch() {
    batch++;
    idle();
  }

  /** A sequence of the batch starts. */
  void at(int index) {
    put(batch | (long) index << 32);
  }

  /** A Begin request initialises this class of its list. */
  void initialises(int index) {
    put(BEGINNING | (long) index << 32);
  }

  /** No sequence runs. */
  void idle() {
    put(batch | NO_SEQUENCE);
  }

  private void put(long value) {
    if (address != 0) {
      DIRECT.putLong(null, address, value);
    } else if (buffer != null) {
      buffer.putLong(0, value);
    }
  }
}
