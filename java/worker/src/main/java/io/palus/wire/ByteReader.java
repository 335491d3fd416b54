package io.palus.wire;

import java.nio.charset.StandardCharsets;

/** Reads the wire's integers and strings from the body of one frame. */
public final class ByteReader {
  private final byte[] bytes;
  private final int end;
  private int position;

  /**
   * Reads bytes from the first one on.
   *
   * @param bytes the body
   * @param length how many of them count
   */
  public ByteReader(byte[] bytes, int length) {
    this.bytes = bytes;
    this.end = length;
  }

  /**
   * Reads one byte.
   *
   * @return 0 to 255
   * @throws WireException at the end of the bytes
   */
  public int get() throws WireException {
    int at = position; // short enough to stand in its callers once these are compiled
    if (at == end) {
      noByte();
    }
    position = at + 1;
    return bytes[at] & 0xff;
  }

  private void noByte() throws WireException {
    throw damaged("a byte");
  }

  /**
   * Reads the number of a kind.
   *
   * @param <K> what it is a kind of
   * @param kinds all of them, by their numbers
   * @param what what is read, for the error
   * @return the one of that number
   * @throws WireException where there is none
   */
  public <K> K kind(K[] kinds, String what) throws WireException {
    int number = get();
    if (number >= kinds.length) {
      throw damaged(what);
    }
    return kinds[number];
  }

  /**
   * Reads a boolean.
   *
   * @return it
   * @throws WireException if it is neither 0 nor 1
   */
  public boolean bool() throws WireException {
    int value = get();
    if (value > 1) {
      throw damaged("a boolean");
    }
    return value == 1;
  }

  /**
   * Reads an unsigned integer of up to 64 bits.
   *
   * @return its bits
   * @throws WireException at the end of the bytes or if it is longer
   */
  public long varint() throws WireException {
    int next = get();
    return next < 0x80 ? next : longer(next);
  }

  private long longer(int first) throws WireException {
    int next = first;
    long value = next & 0x7f;
    for (int shift = 7; ; shift += 7) {
      next = get();
      if (shift == 63 && next > 1) {
        throw damaged("an integer of at most 64 bits");
      }
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
  }

  /**
   * Reads an unsigned integer of up to 31 bits: a number, count or slot.
   *
   * @return it
   * @throws WireException at the end of the bytes or if it is larger
   */
  public int number() throws WireException {
    int next = get();
    return next < 0x80 ? next : narrow(longer(next));
  }

  private int narrow(long value) throws WireException {
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw damaged("a number of at most 31 bits");
    }
    return (int) value;
  }

  /**
   * Reads a count of things that take at least one byte each.
   *
   * @return it
   * @throws WireException if it cannot fit the bytes left
   */
  public int count() throws WireException {
    int value = number();
    if (value > end - position) {
      throw damaged("a count that fits the bytes left");
    }
    return value;
  }

  /**
   * Reads an optional slot.
   *
   * @return it, or -1 for none
   * @throws WireException if it is damaged
   */
  public int slot() throws WireException {
    return number() - 1;
  }

  /**
   * Reads a signed integer, zigzag-coded.
   *
   * @return it
   * @throws WireException at the end of the bytes
   */
  public long signed() throws WireException {
    long coded = varint();
    return coded >>> 1 ^ -(coded & 1);
  }

  /**
   * Reads four bytes, little-endian.
   *
   * @return them
   * @throws WireException at the end of the bytes
   */
  public int fixed32() throws WireException {
    return get() | get() << 8 | get() << 16 | get() << 24;
  }

  /**
   * Reads eight bytes, little-endian.
   *
   * @return them
   * @throws WireException at the end of the bytes
   */
  public long fixed64() throws WireException {
    long low = fixed32() & 0xffff_ffffL;
    return low | (long) fixed32() << 32;
  }

  /**
   * Reads a string.
   *
   * @return it
   * @throws WireException at the end of the bytes
   */
  public String string() throws WireException {
    int length = count();
    String text = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return text;
  }

  /**
   * Ends reading.
   *
   * @throws WireException if bytes are left
   */
  public void end() throws WireException {
    if (position != end) {
      throw damaged("the end of the bytes");
    }
  }

  /**
   * Makes the exception for what was read last.
   *
   * @param expected what should have been there
   * @return the exception
   */
  public WireException damaged(String expected) {
    return new WireException("damaged at byte " + position + ": expected " + expected);
  }
}
