package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Tables of conditions and how far their other values are, run through a real worker. */
final class DistanceRows {
  private DistanceRows() {}

  /**
   * One condition on the parameters {@code a} and {@code b}, two ints or two Strings, and how far
   * its other value is.
   */
  record Row(String condition, Object a, Object b, String expected, String comparison) {}

  static Row row(String condition, Object a, Object b, double expected) {
    return new Row(condition, a, b, String.valueOf(expected), null);
  }

  static Row row(String condition, Object a, Object b, double expected, String pair) {
    return new Row(condition, a, b, String.valueOf(expected), pair);
  }

  /** Each row has a class of its own, whose method has just one jump: probes 3 and 4. */
  static void check(Path folder, String members, Row... rows) throws IOException {
    List<String> sources = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      String type = rows[i].a instanceof Integer ? "int" : "String";
      String parameters = String.format("%s a, %s b", type, type);
      String name = String.format("C%03d", i);
      sources.add("t/" + name + ".java");
      sources.add(
          "package t; import java.util.*; public class "
              + name
              + " { static int f("
              + parameters
              + ") { if ("
              + rows[i].condition
              + ") return 1; return 0; } "
              + members
              + " }");
    }
    Path classes = Sources.compile(folder, 8, sources.toArray(new String[0]));
    List<Consumer<SequenceBuilder>> sequences = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      Row row = rows[i];
      String owner = String.format("t/C%03d", i);
      String type = row.a instanceof Integer ? "(II)I" : "(Ljava/lang/String;Ljava/lang/String;)I";
      sequences.add(s -> s.callStatic(owner, "f", type, value(s, row.a), value(s, row.b)));
    }
    List<String> expected = new ArrayList<>();
    List<String> found = new ArrayList<>();
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      List<String> names = Sources.names(classes);
      List<Integer> types = IntStream.range(0, names.size()).boxed().toList();
      worker.watchInAll(types.stream().filter(i -> !names.get(i).contains("$")).toList(), 3, 4);
      List<Outcome> outcomes = worker.runAll(sequences);
      for (int i = 0; i < rows.length; i++) {
        Row row = rows[i];
        Outcome outcome = outcomes.get(i);
        String what = row.condition + " for " + row.a + ", " + row.b + ": ";
        List<String> far = new ArrayList<>(outcome.distances());
        far.removeIf(each -> each.endsWith("=0.0"));
        assertEquals("completed", outcome.end(), what);
        assertEquals(2, outcome.distances().size(), what + outcome);
        expected.add(what + "[" + row.expected + "]");
        found.add(what + far.stream().map(each -> each.substring(2)).toList());
        if (row.comparison != null) {
          expected.add(what + "[" + row.comparison + "]");
          found.add(what + outcome.comparisons().stream().map(each -> each.substring(2)).toList());
        }
      }
    }
    assertEquals(String.join("\n", expected), String.join("\n", found));
  }

  private static int value(SequenceBuilder sequence, Object value) {
    if (value == null) {
      return sequence.nothing();
    }
    return value instanceof String ? sequence.text((String) value) : sequence.constant((int) value);
  }
}
