package io.palus.agent;

/** The numbers of trace files; {@code palus_wire::trace::format} has the same. */
final class TraceFormat {
  static final byte[] MAGIC = {'P', 'A', 'L', 'T'};
  static final int VERSION = 3;
  static final int HEADER = 64;
  static final int FLAGS_AT = 6;
  static final int PROCESS_AT = 8;
  static final int LENGTH_AT = 16;
  static final byte FLAG_CLOSED = 1;
  static final byte FLAG_STOPPED = 2;
  static final byte[] CHUNK_MAGIC = {'P', 'A', 'L', 'C'};
  static final int CHUNK_HEADER = 16;
  static final int BLOCK_HEADER = 4;
  static final int BLOCK_END = 0xb5;
  static final int MAX_THREADS = 1 << 16;
  static final int MAX_CLASSES = 1 << 20;
  static final int MAX_METHODS = 1 << 22;
  static final int MAX_NESTING = 4;
  static final int MAX_ELEMENTS = 16;
  static final int LONG_PAYLOAD = 0xff;

  static final int ENTER = 1;
  static final int EXIT_VOID = 2;
  static final int EXIT = 3;
  static final int THROW = 4;
  static final int TEST_START = 5;
  static final int TEST_PASSED = 6;
  static final int TEST_FAILED = 7;
  static final int CAPPED = 8;
  static final int AFTER = 9;
  static final int CLASS = 10;
  static final int METHOD = 11;
  static final int TEXT = 12;

  static final int NULL_VALUE = 0;
  static final int FALSE_VALUE = 1;
  static final int TRUE_VALUE = 2;
  static final int BYTE_VALUE = 3;
  static final int CHAR_VALUE = 4;
  static final int SHORT_VALUE = 5;
  static final int INT_VALUE = 6;
  static final int LONG_VALUE = 7;
  static final int FLOAT_VALUE = 8;
  static final int DOUBLE_VALUE = 9;
  static final int TEXT_VALUE = 10;
  static final int INLINE_TEXT_VALUE = 11;
  static final int UNKNOWN_TEXT_VALUE = 12;
  static final int ENUM_VALUE = 13;
  static final int CLASS_VALUE = 14;
  static final int OBJECT_VALUE = 15;
  static final int PROFILED_VALUE = 16;
  static final int ARRAY_VALUE = 17;
  static final int UNKNOWN_NUMBER_VALUE = 18;
  static final int SMALL_INT = 0x40;
  static final int SMALL_LOWEST = -16;
  static final int SMALL_COUNT = 0xc0;

  private TraceFormat() {}
}
