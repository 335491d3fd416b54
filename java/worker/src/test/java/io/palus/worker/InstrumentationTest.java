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
  // The comment is the number of each probe: entry, lines, jumps (not taken, taken), cases, and
  // after a slash the return.
  private static final String CODE =
      """
      package code;
      public class Code { // <init>: 0 / 1
        static int sign(int n) { // entry 2
          if (n < 0) { // 3 stays, 4 jumps
            return -1; // 5 / 6
          }
          return n == 0 ? 0 : 1; // 7, 8 stays, 9 jumps / 10
        }
        static String name(int n) { // entry 11
          switch (n) { // cases 12 13 14 (3, which nobody wrote) 15, default 16
            case 1: return "one"; // 17 / 18
            case 2: return "two"; // 19 / 20
            case 4: return "four"; // 21 / 22
            default: return "many"; // 23 / 24
          }
        }
        static int far(int n) { // entry 25
          switch (n) { // cases 26 27, default 28
            case -1000: return 1; // 29 / 30
            case 1000: return 2; // 31 / 32
          }
          return 3; // 33 / 34
        }
        static boolean same(Object a, Object b) { // entry 35
          return a == b || a != null && a.equals(b); // same 37 else 36, null 39 else 38, 40 or 41 / 42
        }
        static int guarded(int n) { // entry 43
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
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      assertEquals(List.of("0", "1"), probes(worker, s -> s.construct("code/Code", "()V")));
      assertEquals(List.of("2", "4", "7", "9", "10"), probes(worker, call("sign", "I", 5)));
      assertEquals(List.of("2", "4", "7", "8", "10"), probes(worker, call("sign", "I", 0)));
      assertEquals(List.of("2", "3", "5", "6"), probes(worker, call("sign", "I", -5)));
      assertEquals(List.of("11", "12", "17", "18"), probes(worker, call("name", text, 1)));
      assertEquals(List.of("11", "13", "19", "20"), probes(worker, call("name", text, 2)));
      assertEquals(List.of("11", "14", "23", "24"), probes(worker, call("name", text, 3)));
      assertEquals(List.of("11", "15", "21", "22"), probes(worker, call("name", text, 4)));
      assertEquals(List.of("11", "16", "23", "24"), probes(worker, call("name", text, 5)));
      assertEquals(
          List.of("11", "16", "23", "24"), probes(worker, call("name", text, Integer.MIN_VALUE)));
      assertEquals(List.of("25", "26", "29", "30"), probes(worker, call("far", "I", -1000)));
      assertEquals(List.of("25", "27", "31", "32"), probes(worker, call("far", "I", 1000)));
      assertEquals(List.of("25", "28", "33", "34"), probes(worker, call("far", "I", 0)));
    }
  }

  @Test
  void jumps_on_references_are_told_apart() throws IOException {
    Path classes = Sources.compile(folder, 8, "code/Code.java", CODE);
    String descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      Consumer<SequenceBuilder> nulls =
          s -> s.callStatic("code/Code", "same", descriptor, s.nothing(), s.nothing());
      Consumer<SequenceBuilder> nullAndText =
          s -> s.callStatic("code/Code", "same", descriptor, s.nothing(), s.text("a"));
      Consumer<SequenceBuilder> texts =
          s -> s.callStatic("code/Code", "same", descriptor, s.text("b"), s.text("a"));
      assertEquals(List.of("35", "37", "42"), probes(worker, nulls));
      assertEquals(List.of("35", "36", "39", "42"), probes(worker, nullAndText));
      assertEquals(List.of("35", "36", "38", "41", "42"), probes(worker, texts));
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
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
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
