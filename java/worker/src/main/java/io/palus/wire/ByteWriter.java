package io.palus.wire;

import java.util.Arrays;

/** Bytes that grow, with the wire's integers and strings. */
public final class ByteWriter {
  /** What one frame holds at most. */
  static final int LONGEST = 1 << 26;

  private byte[] bytes = new byte[1 << 16];
  private int length;

  /** Forgets the bytes but keeps their room. */
  public void clear() {
    length = 0;
  }

  /** Returns the number of bytes so far. */
  public int length() {
    return length;
  }

  /** Returns the array that holds the bytes; valid until the next write. */
  public byte[] array() {
    return bytes;
  }

  /**
   * Cuts the bytes back to a length they had.
   *
   * @param earlier an earlier length
   */
  public void truncate(int earlier) {
    length = earlier;
  }

  /**
   * Appends one byte.
   *
   * @param value its low eight bits
   */
  public void put(int value) {
    if (length == bytes.length) {
      grow(); // all else is short enough to stand in its callers once these are compiled
    }
    bytes[length++] = (byte) value;
  }

  /**
   * Appends the number of a kind.
   *
   * @param kind one of {@link Kinds}
   */
  public void kind(Enum<?> kind) {
    put(kind.ordinal());
  }

  /**
   * Appends 1 or 0.
   *
   * @param value what
   */
  public void bool(boolean value) {
    put(value ? 1 : 0);
  }

  /**
   * Appends an unsigned integer in seven-bit groups.
   *
   * @param value taken as unsigned
   */
  public void varint(long value) {
    if ((value & ~0x7fL) == 0) {
      put((int) value);
    } else {
      longer(value);
    }
  }

  private void longer(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  /**
   * Appends a signed integer, zigzag-coded.
   *
   * @param value what
   */
  public void signed(long value) {
    varint(value << 1 ^ value >> 63);
  }

  /**
   * Appends four bytes, little-endian.
   *
   * @param value what
   */
  public void fixed32(int value) {
    ensure(4);
    for (int shift = 0; shift < 32; shift += 8) {
      bytes[length++] = (byte) (value >> shift);
    }
  }

  /**
   * Appends eight bytes, little-endian.
   *
   * @param value what
   */
  public void fixed64(long value) {
    fixed32((int) value);
    fixed32((int) (value >> 32));
  }

  /**
   * Writes four bytes over earlier ones, little-endian.
   *
   * @param place where they begin
   * @param value what
   */
  public void setFixed32(int place, int value) {
    for (int i = 0; i < 4; i++) {
      bytes[place + i] = (byte) (value >> 8 * i);
    }
  }

  /**
   * Appends bytes behind their length.
   *
   * @param blob what
   */
  public void blob(byte[] blob) {
    varint(blob.length);
    raw(blob);
  }

  /**
   * Appends bytes as they are.
   *
   * @param raw what
   */
  public void raw(byte[] raw) {
    ensure(raw.length);
    System.arraycopy(raw, 0, bytes, length, raw.length);
    length += raw.length;
  }

  /**
   * Appends the bytes of another writer.
   *
   * @param other what
   */
  public void raw(ByteWriter other) {
    ensure(other.length);
    System.arraycopy(other.bytes, 0, bytes, length, other.length);
    length += other.length;
  }

  /**
   * Appends a string: length in UTF-8, then UTF-8; a lone surrogate becomes a question mark.
   *
   * @param text what
   */
  public void string(String text) {
    int chars = text.length();
    int size = utf8Length(text);
    varint(size);
    ensure(size);
    if (size == chars) {
      for (int i = 0; i < chars; i++) {
        bytes[length++] = (byte) text.charAt(i);
      }
      return;
    }
    for (int i = 0; i < chars; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes[length++] = (byte) c;
      } else if (c < 0x800) {
        bytes[length++] = (byte) (0xc0 | c >> 6);
        bytes[length++] = (byte) (0x80 | c & 0x3f);
      } else if (!Character.isSurrogate(c)) {
        bytes[length++] = (byte) (0xe0 | c >> 12);
        bytes[length++] = (byte) (0x80 | c >> 6 & 0x3f);
        bytes[length++] = (byte) (0x80 | c & 0x3f);
      } else if (isPair(text, i)) {
        int point = Character.toCodePoint(c, text.charAt(++i));
        bytes[length++] = (byte) (0xf0 | point >> 18);
        bytes[length++] = (byte) (0x80 | point >> 12 & 0x3f);
        bytes[length++] = (byte) (0x80 | point >> 6 & 0x3f);
        bytes[length++] = (byte) (0x80 | point & 0x3f);
      } else {
        bytes[length++] = '?';
      }
    }
  }

  private static int utf8Length(String text) {
    int size = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        size++;
      } else if (c < 0x800) {
        size += 2;
      } else if (!Character.isSurrogate(c)) {
        size += 3;
      } else if (isPair(text, i)) {
        size += 4;
        i++;
      } else {
        size++;
      }
    }
    return size;
  }

  private static boolean isPair(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1));
  }

  private void grow() {
    ensure(1);
  }

  private void ensure(int more) {
    if (more > LONGEST - length) {
      // As where memory is full: what a sequence was about to tell is taken back.
      throw new OutOfMemoryError("more than 64 MiB in one frame");
    }
    if (length + more > bytes.length) {
      int doubled = Math.min(bytes.length * 2, LONGEST);
      bytes = Arrays.copyOf(bytes, Math.max(doubled, length + more));
    }
  }
}
