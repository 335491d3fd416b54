package io.palus.agent;

/**
 * Writes values of primitive types and their boxes into a lane's payload; numbers that may be
 * secrets as unknown ones. Does not know other values.
 */
class PrimitiveWriter {
  /** So many new texts are checked before properties are looked at again. */
  private static final int TEXTS_PER_LOOK = 64;

  final Lane lane;
  private int untilLook;

  PrimitiveWriter(Lane lane) {
    this.lane = lane;
  }

  void integer(int kind, long value) {
    lane.payload.put(kind);
    lane.payload.signed(value);
  }

  void value(boolean value) {
    lane.payload.put(value ? TraceFormat.TRUE_VALUE : TraceFormat.FALSE_VALUE);
  }

  void value(char value) {
    lane.payload.put(TraceFormat.CHAR_VALUE);
    lane.payload.varint(value);
  }

  void value(int value) {
    int small = value - TraceFormat.SMALL_LOWEST;
    if (value >= TraceFormat.SMALL_LOWEST && small < TraceFormat.SMALL_COUNT) {
      lane.payload.put(TraceFormat.SMALL_INT + small);
    } else if (secretsForNumbers().holds((long) value)) {
      lane.payload.put(TraceFormat.UNKNOWN_NUMBER_VALUE);
    } else {
      integer(TraceFormat.INT_VALUE, value);
    }
  }

  void value(long value) {
    if (secretsForNumbers().holds(value)) {
      lane.payload.put(TraceFormat.UNKNOWN_NUMBER_VALUE);
    } else {
      integer(TraceFormat.LONG_VALUE, value);
    }
  }

  void value(float value) {
    if (secretsForNumbers().holds(value)) {
      lane.payload.put(TraceFormat.UNKNOWN_NUMBER_VALUE);
    } else {
      lane.payload.put(TraceFormat.FLOAT_VALUE);
      lane.payload.fixed32(Float.floatToRawIntBits(value));
    }
  }

  void value(double value) {
    if (secretsForNumbers().holds(value)) {
      lane.payload.put(TraceFormat.UNKNOWN_NUMBER_VALUE);
    } else {
      lane.payload.put(TraceFormat.DOUBLE_VALUE);
      lane.payload.fixed64(Double.doubleToRawLongBits(value));
    }
  }

  /** A value of a primitive type, named by its letter in descriptors. */
  void primitive(int kind, long bits) {
    switch (kind) {
      case 'Z':
        value(bits != 0);
        break;
      case 'B':
        integer(TraceFormat.BYTE_VALUE, bits);
        break;
      case 'C':
        value((char) bits);
        break;
      case 'S':
        integer(TraceFormat.SHORT_VALUE, bits);
        break;
      case 'I':
        value((int) bits);
        break;
      case 'J':
        value(bits);
        break;
      case 'F':
        value(Float.intBitsToFloat((int) bits));
        break;
      default:
        value(Double.longBitsToDouble(bits));
    }
  }

  /** Whether it was a box, and is written now. */
  final boolean box(Number number) {
    if (number instanceof Long) {
      value(number.longValue());
    } else if (number instanceof Double) {
      value(number.doubleValue());
    } else if (number instanceof Float) {
      value(number.floatValue());
    } else if (number instanceof Short) {
      integer(TraceFormat.SHORT_VALUE, number.shortValue());
    } else if (number instanceof Byte) {
      integer(TraceFormat.BYTE_VALUE, number.byteValue());
    } else {
      return false;
    }
    return true;
  }

  /** Properties may have been set since: before the next text they are looked at. */
  void looksAgain() {
    untilLook = 0;
  }

  final Secrets secrets() {
    if (untilLook-- == 0) {
      untilLook = TEXTS_PER_LOOK;
      Secrets.refresh();
    }
    return Secrets.current();
  }

  /** Numbers are many: they wait for a look at properties only where one is due. */
  final Secrets secretsForNumbers() {
    return untilLook == 0 ? secrets() : Secrets.current();
  }
}
