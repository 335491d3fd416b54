package io.palus.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Type;

/** Reads a trace file into lines of text, thread by thread; order marks are lines of their own. */
final class TraceText {
  /** Lines by thread. */
  final Map<Integer, List<String>> threads = new HashMap<>();

  final int flags;
  private final ByteBuffer bytes;
  private final Map<Integer, String> classes = new HashMap<>();
  private final Map<Integer, String[]> methods = new HashMap<>();
  private final Map<Integer, List<String>> texts = new HashMap<>();
  private int thread;

  private TraceText(byte[] file) {
    bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    flags = bytes.get(TraceFormat.FLAGS_AT);
    for (int pass = 0; pass < 2; pass++) {
      // Names may be used by a thread whose chunk comes before the definition's: two passes.
      threads.clear();
      texts.clear();
      int start = TraceFormat.HEADER;
      while (start < file.length) {
        thread = bytes.getInt(start + 4);
        int end = start + bytes.getInt(start + 8);
        bytes.position(start + TraceFormat.CHUNK_HEADER);
        while (bytes.position() + 4 <= end) {
          int length = bytes.getInt();
          if (length == 0) {
            break;
          }
          int blockEnd = bytes.position() + length;
          while (bytes.position() < blockEnd) {
            record();
          }
          int mark = bytes.get() & 0xff;
          if (mark != TraceFormat.BLOCK_END) {
            throw new AssertionError("a block ends with " + mark);
          }
        }
        start = end;
      }
    }
  }

  static TraceText read(Path file) throws IOException {
    return new TraceText(Files.readAllBytes(file));
  }

  static TraceText of(byte[] file) {
    return new TraceText(file);
  }

  /** Lines of all threads, one thread after the other. */
  List<String> lines() {
    List<String> all = new ArrayList<>();
    threads.keySet().stream().sorted().forEach(each -> all.addAll(threads.get(each)));
    return all;
  }

  boolean isClosed() {
    return flags == TraceFormat.FLAG_CLOSED;
  }

  private void record() {
    int kind = bytes.get();
    List<String> lines = threads.computeIfAbsent(thread, none -> new ArrayList<>());
    List<String> own = texts.computeIfAbsent(thread, none -> new ArrayList<>());
    if (kind == TraceFormat.EXIT_VOID) {
      lines.add("-> void");
      return;
    } else if (kind == TraceFormat.TEST_PASSED || kind == TraceFormat.TEST_FAILED) {
      lines.add(kind == TraceFormat.TEST_PASSED ? "passed" : "failed");
      return;
    }
    int length = bytes.get() & 0xff;
    if (length == TraceFormat.LONG_PAYLOAD) {
      length = bytes.getInt();
    }
    int end = bytes.position() + length;
    switch (kind) {
      case TraceFormat.ENTER -> enter(lines);
      case TraceFormat.EXIT -> lines.add("-> " + value());
      case TraceFormat.THROW -> lines.add("throws " + classes.get(varint()));
      case TraceFormat.TEST_START -> lines.add("test " + classes.get(varint()) + "." + text());
      case TraceFormat.CAPPED -> {
        for (int left = varint(); left > 0; left--) {
          lines.add("capped " + varint());
        }
      }
      case TraceFormat.AFTER -> {
        int other = varint();
        varint();
        lines.add("after thread " + other);
      }
      case TraceFormat.CLASS -> classes.put(varint(), string());
      case TraceFormat.METHOD -> {
        int number = varint();
        String owner = classes.get(varint());
        methods.put(number, new String[] {owner, string(), string(), "" + varint()});
      }
      case TraceFormat.TEXT -> own.add(utf8(length));
      default -> throw new AssertionError("kind " + kind + " at " + bytes.position());
    }
    if (bytes.position() != end) {
      throw new AssertionError("record of kind " + kind + " ends at " + bytes.position());
    }
  }

  private void enter(List<String> lines) {
    String[] method = methods.get(varint());
    boolean hasReceiver = (Integer.parseInt(method[3]) & 8) == 0 && !method[1].equals("<init>");
    String receiver = hasReceiver ? value() + "." : "";
    List<String> arguments = new ArrayList<>();
    for (int i = 0; i < Type.getArgumentTypes(method[2]).length; i++) {
      arguments.add(value());
    }
    String simple = method[0].substring(method[0].lastIndexOf('/') + 1);
    lines.add(receiver + simple + "." + method[1] + "(" + String.join(", ", arguments) + ")");
  }

  private String value() {
    int kind = bytes.get() & 0xff;
    if (kind >= TraceFormat.SMALL_INT) {
      return "" + (kind - TraceFormat.SMALL_INT + TraceFormat.SMALL_LOWEST);
    }
    return switch (kind) {
      case TraceFormat.NULL_VALUE -> "null";
      case TraceFormat.FALSE_VALUE -> "false";
      case TraceFormat.TRUE_VALUE -> "true";
      case TraceFormat.BYTE_VALUE -> "byte " + signed();
      case TraceFormat.SHORT_VALUE -> "short " + signed();
      case TraceFormat.INT_VALUE -> "" + signed();
      case TraceFormat.LONG_VALUE -> signed() + "L";
      case TraceFormat.CHAR_VALUE -> "char " + varint();
      case TraceFormat.FLOAT_VALUE -> Float.intBitsToFloat(bytes.getInt()) + "f";
      case TraceFormat.DOUBLE_VALUE -> "" + Double.longBitsToDouble(bytes.getLong());
      case TraceFormat.TEXT_VALUE -> '"' + text() + '"';
      case TraceFormat.INLINE_TEXT_VALUE -> "inline " + '"' + string() + '"';
      case TraceFormat.UNKNOWN_TEXT_VALUE -> "unknown";
      case TraceFormat.UNKNOWN_NUMBER_VALUE -> "unknown number";
      case TraceFormat.ENUM_VALUE -> simple(classes.get(varint())) + "." + text();
      case TraceFormat.CLASS_VALUE -> "class " + text();
      case TraceFormat.OBJECT_VALUE -> object();
      case TraceFormat.PROFILED_VALUE -> object() + profile();
      case TraceFormat.ARRAY_VALUE -> array();
      default -> throw new AssertionError("value " + kind + " at " + bytes.position());
    };
  }

  private String object() {
    int id = varint();
    return simple(classes.get(varint())) + "@" + id;
  }

  private String profile() {
    List<String> codes = new ArrayList<>();
    for (int left = varint(); left > 0; left--) {
      codes.add("" + varint());
    }
    return "[" + String.join(" ", codes) + "]";
  }

  private String array() {
    String head = object() + "#" + varint() + ":" + varint();
    List<String> elements = new ArrayList<>();
    for (int left = varint(); left > 0; left--) {
      elements.add(value());
    }
    return head + "{" + String.join(", ", elements) + "}";
  }

  private String text() {
    return texts.get(thread).get(varint());
  }

  private static String simple(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private int varint() {
    return (int) unsigned();
  }

  private long signed() {
    long coded = unsigned();
    return coded >>> 1 ^ -(coded & 1);
  }

  private long unsigned() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private String string() {
    return utf8(varint());
  }

  private String utf8(int length) {
    byte[] utf8 = new byte[length];
    bytes.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
