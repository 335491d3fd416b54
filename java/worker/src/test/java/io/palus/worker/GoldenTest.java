package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.wire.ByteReader;
import io.palus.wire.ByteWriter;
import io.palus.wire.Kinds;
import io.palus.wire.Kinds.End;
import io.palus.wire.WireException;
import io.palus.worker.instrument.ProbeTable;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes that Rust writes and reads, read and written here. */
class GoldenTest {
  private static final String STACK =
      """
      package demo;
      public class Stack {
        Object none;
        Object some = "";
        Colour colour = Colour.RED;
        int zero;
      }
      """;
  private static final String JAM =
      "package demo; public class Jam extends RuntimeException { int at = 4; Object none = this; }";
  private static final String COLOUR = "package demo; public enum Colour { GREEN, RED }";

  @TempDir Path folder;

  /** {@code OUT_OF_FUEL} is {@code OutOfFuel} there. */
  static String rustName(Enum<?> constant) {
    StringBuilder name = new StringBuilder();
    for (String word : constant.name().split("_")) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }

  private static ByteReader request(String name) throws IOException {
    byte[] body = Goldens.bodies("requests.txt").get(name);
    return new ByteReader(body, body.length);
  }

  @Test
  void kinds_are_those_of_rust() throws IOException {
    List<Class<? extends Enum<?>>> all =
        List.of(
            Kinds.Request.class,
            Kinds.Response.class,
            Kinds.Call.class,
            Kinds.Statement.class,
            Kinds.Constant.class,
            Kinds.Observation.class,
            Kinds.Content.class,
            Kinds.End.class,
            Kinds.Operator.class);
    assertEquals(Set.copyOf(all), Set.of(Kinds.class.getDeclaredClasses()));
    List<String> ours = new ArrayList<>();
    for (Class<? extends Enum<?>> kinds : all) {
      for (Enum<?> kind : kinds.getEnumConstants()) {
        ours.add(kinds.getSimpleName() + " " + rustName(kind) + " " + kind.ordinal());
      }
    }
    assertEquals(Files.readAllLines(Goldens.file("kinds.txt")), ours);
  }

  @Test
  void entries_of_methods_are_numbered_as_kinds_of_calls() {
    assertEquals(Kinds.Call.CONSTRUCTOR.ordinal(), MethodEntry.CONSTRUCTOR);
    assertEquals(Kinds.Call.STATIC.ordinal(), MethodEntry.STATIC);
    assertEquals(Kinds.Call.VIRTUAL.ordinal(), MethodEntry.VIRTUAL);
    assertEquals(Kinds.Call.INTERFACE.ordinal(), MethodEntry.INTERFACE);
    assertEquals(Kinds.Call.INTERFACE_STATIC.ordinal(), MethodEntry.INTERFACE_STATIC);
  }

  @Test
  void constants_are_those_rust_wrote() throws IOException {
    ByteReader in = request("execute-constants");
    assertEquals(4, in.get());
    assertEquals(2, in.count());
    SequenceReader sequence = new SequenceReader();
    sequence.read(in);
    assertEquals(0, sequence.count);
    sequence.read(in);
    in.end();
    Object[] expected = {
      null,
      true,
      (byte) -128,
      '\ud800',
      (short) -2,
      Integer.MIN_VALUE,
      Long.MAX_VALUE,
      Float.NaN,
      -0.0,
      "hé\ud83d\ude00\0",
      "java/util/concurrent/TimeUnit",
      "[I"
    };
    assertArrayEquals(expected, Arrays.copyOf(sequence.objects, sequence.count));
    assertEquals("DAYS", sequence.names[10]);
  }

  @Test
  void statements_are_those_rust_wrote() throws IOException {
    ByteReader in = request("execute-statements");
    in.get();
    in.count();
    SequenceReader sequence = new SequenceReader();
    sequence.read(in);
    in.end();
    assertArrayEquals(new byte[] {1, 1, 2, 3, 4, 5, 5}, Arrays.copyOf(sequence.kinds, 7));
    assertArrayEquals(new int[] {7, 200, 0, 0, 1, 0, 0}, Arrays.copyOf(sequence.members, 7));
    assertArrayEquals(new int[] {-1, 0, -1, -1, 0, -1, -1}, Arrays.copyOf(sequence.receivers, 7));
    assertArrayEquals(new int[] {0, 0, 2, 4, 4, 5, 6, 8}, Arrays.copyOf(sequence.starts, 8));
    assertArrayEquals(new int[] {0, 0, 0, 1, 3, -1, -1, 2}, Arrays.copyOf(sequence.arguments, 8));
    assertEquals("[Ldemo/Stack;", sequence.objects[2]);
    assertEquals("java/util/Enumeration", sequence.objects[6]);
    assertEquals("nextElement()Ljava/lang/Object;", sequence.open[6][1]);
  }

  @Test
  void watched_probes_are_those_rust_wrote() throws IOException {
    ByteReader in = request("watch");
    assertEquals(7, in.get());
    assertArrayEquals(new long[] {5, 3L << 32 | 2, 3L << 32 | 130}, Session.probes(in));
    in.end();
  }

  @Test
  void cut_requests_are_damaged_wherever_they_are_cut() throws IOException {
    byte[] body = Goldens.bodies("requests.txt").get("execute-statements");
    for (int length = 0; length < body.length; length++) {
      ByteReader in = new ByteReader(body, length);
      assertThrows(
          WireException.class,
          () -> {
            in.get();
            in.count();
            new SequenceReader().read(in);
            in.end();
          });
    }
  }

  @Test
  void outcomes_are_the_bytes_rust_reads() throws Exception {
    Path classes =
        Sources.compile(
            folder, 8, "demo/Stack.java", STACK, "demo/Colour.java", COLOUR, "demo/Jam.java", JAM);
    Map<String, Integer> numbers = Map.of("demo/Stack", 0, "demo/Colour", 1, "demo/Jam", 2);
    ClassPath path = new ClassPath(List.of(classes.toString()));
    SubjectLoader loader = new SubjectLoader(new SubjectClasses(path, numbers, new ProbeTable()));
    Object stack = loader.loadClass("demo.Stack").getDeclaredConstructor().newInstance();
    Object red = loader.loadClass("demo.Colour").getEnumConstants()[1];
    Throwable jam = (Throwable) loader.loadClass("demo.Jam").getDeclaredConstructor().newInstance();
    Object[] slots = {
      null,
      null,
      -3,
      "a",
      red,
      stack,
      stack,
      new int[0],
      new Object(),
      "\ud800",
      new BigDecimal("3.10"),
      Arrays.asList(null, red, new int[] {7})
    };

    ByteWriter bytes = new ByteWriter();
    bytes.put(2);
    bytes.varint(10);
    OutcomeWriter out = new OutcomeWriter();
    out.begin(bytes);
    out.nothing();
    for (int i = 1; i < slots.length; i++) {
      out.observe(slots[i], i == 2, slots, i);
    }
    out.threw(9, jam, "full: é", new StackTraceElement("demo.Stack", "push", null, 1));
    out.probes(new long[] {0, 5, 3L << 32 | 2, 3L << 32 | 130, 200L << 32});
    out.aftermath(0, false, false);
    out.end(End.COMPLETED);
    out.noProbes();
    out.aftermath(0, false, true);
    out.threw(0, new IllegalStateException(), null, null);
    out.noProbes();
    out.aftermath(0, false, true);
    for (End end : List.of(End.OUT_OF_FUEL, End.TOO_DEEP, End.TIMED_OUT)) {
      out.end(end);
      out.noProbes();
      out.aftermath(0, false, true);
    }
    out.end(End.DENIED, "System.exit");
    out.noProbes();
    out.aftermath(0, false, true);
    out.end(End.STARTED_THREAD);
    out.noProbes();
    out.aftermath(0, false, true);
    out.end(End.UNUSABLE, "no such class");
    out.noProbes();
    out.aftermath(0, false, true);
    out.end(End.OUT_OF_MEMORY);
    out.noProbes();
    out.aftermath(0, false, true);

    byte[] written = Arrays.copyOf(bytes.array(), bytes.length());
    assertArrayEquals(Goldens.bodies("responses.txt").get("outcomes"), written);
  }

  @Test
  void nearness_is_the_bytes_rust_reads() throws IOException {
    ByteWriter bytes = new ByteWriter();
    bytes.put(5);
    bytes.varint(2);
    OutcomeWriter out = new OutcomeWriter();
    out.begin(bytes);
    out.end(End.COMPLETED);
    out.noProbes();
    out.aftermath(70_000, true, true);
    bytes.varint(5);
    int[] steps = {0, 1, 199, 1, 1};
    double[] distances = {0, 3, 0.5, 4294967295.0, Double.MAX_VALUE};
    for (int i = 0; i < steps.length; i++) {
      bytes.varint(steps[i]);
      out.distance(distances[i]);
    }
    bytes.varint(2);
    out.comparison(1, 0, -2, 1);
    out.comparison(200, 1, "a", "b");
    out.end(End.OUT_OF_FUEL);
    out.noProbes();
    out.aftermath(0, false, true);
    bytes.put(0);
    bytes.put(0);
    byte[] written = Arrays.copyOf(bytes.array(), bytes.length());
    assertArrayEquals(Goldens.bodies("responses.txt").get("near-outcomes"), written);
  }

  @Test
  void constants_go_back_in_the_bytes_they_came_in() throws IOException {
    ByteReader in = request("execute-constants");
    in.get();
    in.count();
    SequenceReader sequence = new SequenceReader();
    sequence.read(in);
    sequence.read(in);
    String golden =
        HexFormat.of().formatHex(Goldens.bodies("requests.txt").get("execute-constants"));
    for (int i = 1; i < 10; i++) {
      ByteWriter bytes = new ByteWriter();
      OutcomeWriter out = new OutcomeWriter();
      out.begin(bytes);
      out.observe(sequence.objects[i], true, sequence.objects, i);
      String written = HexFormat.of().formatHex(bytes.array(), 1, bytes.length());
      assertTrue(golden.contains("00" + written), written);
    }
  }
}
