package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Probes stand where FORMAT.md says, and instrumented code does what it did. */
class InstrumentationTest {
  // The comment is the number of each probe: entry, lines, jumps (not taken, taken), cases.
  private static final String CODE =
      """
      package code;
      public class Code { // <init>: 0
        static int sign(int n) { // entry 1
          if (n < 0) { // 2 stays, 3 jumps
            return -1; // 4
          }
          return n == 0 ? 0 : 1; // 5, 6 stays, 7 jumps
        }
        static String name(int n) { // entry 8
          switch (n) { // cases 9 10 11 (3, which nobody wrote) 12, default 13
            case 1: return "one"; // 14
            case 2: return "two"; // 15
            case 4: return "four"; // 16
            default: return "many"; // 17
          }
        }
        static int far(int n) { // entry 18
          switch (n) { // cases 19 20, default 21
            case -1000: return 1; // 22
            case 1000: return 2; // 23
          }
          return 3; // 24
        }
        static boolean same(Object a, Object b) { // entry 25
          return a == b || a != null && a.equals(b); // if same 27 else 26, if null 29 else 28, 30 or 31
        }
        static int guarded(int n) { // entry 33
          int sum = 0;
          try {
            for (int i = 0; i < n; i++) {
              sum += 12 / (i - 2);
            }
            return new String(n > 2 ? "a" : "bc").length();
          } catch (ArithmeticException e) {
            sum += 100;
          } finally {
            sum++;
          }
          return sum;
        }
        static int locked(int n) {
          synchronized (Code.class) {
            long big = n;
            double half = 0.5;
            if (big > 3 || half > n) { throw new IllegalStateException("x"); }
            return (int) big;
          }
        }
        static final int[] TABLE = new int[4];
        static {
          try { for (int i = 0; i < 4; i++) { TABLE[i] = i / (i - 3); } }
          catch (ArithmeticException e) { TABLE[3] = -1; }
        }
        static int table(int i) { return TABLE[i]; }
      }
      """;

  @TempDir Path folder;

  private static Consumer<SequenceBuilder> call(String name, String result, int argument) {
    return s -> s.callStatic("code/Code", name, "(I)" + result, s.constant(argument));
  }

  /** Probes of one call alone, class number left out. */
  private static List<String> probes(WorkerProcess worker, Consumer<SequenceBuilder> sequence)
      throws IOException {
    worker.begin("code.Code");
    return worker.run(sequence).probes().stream().map(probe -> probe.substring(2)).toList();
  }

  @Test
  void probes_stand_where_the_format_says() throws IOException {
    Path classes = Sources.compile(folder, 8, "code/Code.java", CODE);
    String text = "Ljava/lang/String;";
    try (WorkerProcess worker = WorkerProcess.on(folder, classes)) {
      assertEquals(List.of("0"), probes(worker, s -> s.construct("code/Code", "()V")));
      assertEquals(List.of("1", "3", "5", "7"), probes(worker, call("sign", "I", 5)));
      assertEquals(List.of("1", "3", "5", "6"), probes(worker, call("sign", "I", 0)));
      assertEquals(List.of("1", "2", "4"), probes(worker, call("sign", "I", -5)));
      assertEquals(List.of("8", "9", "14"), probes(worker, call("name", text, 1)));
      assertEquals(List.of("8", "10", "15"), probes(worker, call("name", text, 2)));
      assertEquals(List.of("8", "11", "17"), probes(worker, call("name", text, 3)));
      assertEquals(List.of("8", "12", "16"), probes(worker, call("name", text, 4)));
      assertEquals(List.of("8", "13", "17"), probes(worker, call("name", text, 5)));
      assertEquals(List.of("8", "13", "17"), probes(worker, call("name", text, Integer.MIN_VALUE)));
      assertEquals(List.of("18", "19", "22"), probes(worker, call("far", "I", -1000)));
      assertEquals(List.of("18", "20", "23"), probes(worker, call("far", "I", 1000)));
      assertEquals(List.of("18", "21", "24"), probes(worker, call("far", "I", 0)));
    }
  }

  @Test
  void jumps_on_references_are_told_apart() throws IOException {
    Path classes = Sources.compile(folder, 8, "code/Code.java", CODE);
    String descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
    try (WorkerProcess worker = WorkerProcess.on(folder, classes)) {
      Consumer<SequenceBuilder> nulls =
          s -> s.callStatic("code/Code", "same", descriptor, s.nothing(), s.nothing());
      Consumer<SequenceBuilder> nullAndText =
          s -> s.callStatic("code/Code", "same", descriptor, s.nothing(), s.text("a"));
      Consumer<SequenceBuilder> texts =
          s -> s.callStatic("code/Code", "same", descriptor, s.text("b"), s.text("a"));
      assertEquals(List.of("25", "27"), probes(worker, nulls));
      assertEquals(List.of("25", "26", "29"), probes(worker, nullAndText));
      assertEquals(List.of("25", "26", "28", "31"), probes(worker, texts));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {49, 50, 51, 52, 55, 61})
  void code_of_all_versions_does_what_it_did(int version) throws IOException {
    Path classes = Sources.compile(folder, Math.max(8, version - 44), "code/Code.java", CODE);
    Path file = classes.resolve("code/Code.class");
    byte[] bytes = Files.readAllBytes(file);
    bytes[7] = (byte) version; // javac no longer writes the oldest ones
    Files.write(file, bytes);
    try (WorkerProcess worker = WorkerProcess.on(folder, classes)) {
      for (int n = 0; n < 6; n++) {
        assertEquals("int " + guarded(n), last(worker, call("guarded", "I", n)));
      }
      assertEquals("int 3", last(worker, call("locked", "I", 3)));
      assertEquals("threw", worker.run(call("locked", "I", 4)).end().substring(0, 5));
      assertEquals("threw", worker.run(call("locked", "I", 0)).end().substring(0, 5));
      assertEquals("int -1", last(worker, call("table", "I", 3)));
      assertEquals("boxed text four", last(worker, call("name", "Ljava/lang/String;", 4)));
    }
  }

  private static int guarded(int n) {
    return n > 2 ? 12 / -2 + 12 / -1 + 100 + 1 : 2;
  }

  private static String last(WorkerProcess worker, Consumer<SequenceBuilder> sequence)
      throws IOException {
    Outcome outcome = worker.run(sequence);
    assertEquals("completed", outcome.end());
    return outcome.observations().get(outcome.observations().size() - 1);
  }
}
