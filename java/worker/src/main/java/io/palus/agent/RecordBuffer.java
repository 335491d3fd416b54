package io.palus.agent;

import java.util.Arrays;

/** Bytes that grow, with the wire's integers. */
final class RecordBuffer {
  /** Much more than what is told of any call: nested arrays of long texts could ask for more. */
  static final int LONGEST = 1 << 24;

  byte[] bytes;
  int length;

  RecordBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  void ensure(int more) {
    if (more > LONGEST - length) {
      throw new IllegalStateException("more than 16 MiB to tell of one call");
    }
    if (length + more > bytes.length) {
      int doubled = Math.min(bytes.length * 2, LONGEST);
      bytes = Arrays.copyOf(bytes, Math.max(doubled, length + more));
    }
  }

  /** True if the block has a record. */
  boolean hasRecords() {
    return length > TraceFormat.BLOCK_HEADER;
  }

  /**
   * Puts the length before the records and the mark behind them, for which there is always room.
   * The mark is no record: whoever fails to write the block goes on with it as it was.
   *
   * @return the bytes of the block
   */
  int framed() {
    int body = length - TraceFormat.BLOCK_HEADER;
    if (length == bytes.length) {
      bytes = Arrays.copyOf(bytes, length + 1);
    }
    bytes[length] = (byte) TraceFormat.BLOCK_END;
    for (int at = 0; at < TraceFormat.BLOCK_HEADER; at++) {
      bytes[at] = (byte) (body >> 8 * at);
    }
    return length + 1;
  }

  void put(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
  }

  void varint(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  void signed(long value) {
    varint(value << 1 ^ value >> 63);
  }

  void fixed32(int value) {
    ensure(4);
    for (int shift = 0; shift < 32; shift += 8) {
      bytes[length++] = (byte) (value >> shift);
    }
  }

  void fixed64(long value) {
    fixed32((int) value);
    fixed32((int) (value >> 32));
  }

  void raw(byte[] source, int start, int count) {
    ensure(count);
    System.arraycopy(source, start, bytes, length, count);
    length += count;
  }

  /** A string: its length in UTF-8 bytes, and these. */
  void string(String text) {
    byte[] utf8 = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    varint(utf8.length);
    raw(utf8, 0, utf8.length);
  }

  /** A record with this kind and the payload of another buffer. */
  void record(int kind, RecordBuffer payload) {
    int size = payload.length;
    ensure(size + 6);
    bytes[length++] = (byte) kind;
    if (size < TraceFormat.LONG_PAYLOAD) {
      bytes[length++] = (byte) size;
    } else {
      bytes[length++] = (byte) TraceFormat.LONG_PAYLOAD;
      fixed32(size);
    }
    raw(payload.bytes, 0, size);
  }
}
