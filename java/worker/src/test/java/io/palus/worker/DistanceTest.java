package io.palus.worker;

import static io.palus.worker.DistanceRows.check;
import static io.palus.worker.DistanceRows.row;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jump tells how far the outcome was that it did not have, whatever it jumps on. */
class DistanceTest {
  private static final String MAX = "1.7976931348623157E308";

  @TempDir Path folder;

  @Test
  void ints_are_as_far_as_they_differ() throws IOException {
    String pair = "order: int 7, int 5";
    check(
        folder,
        "",
        row("a == 0", 7, 0, 7, "order: int 7, int 0"),
        row("a == 0", 0, 0, 1),
        row("a != 0", -7, 0, 7),
        row("a != 0", 0, 0, 1),
        row("a < 0", 7, 0, 8),
        row("a < 0", -7, 0, 8),
        row("a >= 0", 7, 0, 8),
        row("a >= 0", -7, 0, 8),
        row("a > 0", 7, 0, 8),
        row("a > 0", 0, 0, 1),
        row("a <= 0", 7, 0, 8),
        row("a <= 0", -7, 0, 8),
        row("a == b", 7, 5, 2, pair),
        row("a == b", 7, 7, 1),
        row("a != b", 7, 5, 2, pair),
        row("a != b", 7, 7, 1),
        row("a < b", 7, 5, 3, pair),
        row("a < b", 5, 7, 3),
        row("a >= b", 7, 5, 3),
        row("a >= b", 5, 7, 3),
        row("a > b", 5, 7, 3),
        row("a > b", 7, 7, 1),
        row("a <= b", 7, 5, 3),
        row("a <= b", 5, 7, 3),
        row("a == b", Integer.MIN_VALUE, Integer.MAX_VALUE, 4294967295.0),
        row("a < b", Integer.MAX_VALUE, Integer.MIN_VALUE, 4294967296.0));
  }

  @Test
  void longs_are_compared_without_overflow_and_never_seem_equal() throws IOException {
    check(
        folder,
        "",
        row("(long) a == b", 7, 5, 2, "order: long 7, long 5"),
        row("(long) a < b", 7, 5, 3),
        row("(long) a > b", 7, 5, 3),
        row("(long) a != b", 7, 7, 1),
        row("a * (1L << 60) == a * (1L << 60) + b", 4, 1, 1),
        row("a * (1L << 61) < b * (1L << 61)", 3, -3, 1.3835058055282164E19));
  }

  @Test
  void floats_and_doubles_are_as_far_as_they_differ_and_nan_is_out_of_sight() throws IOException {
    check(
        folder,
        "",
        row("a / 2f == b", 7, 3, 0.5, "order: float 3.5, float 3.0"),
        row("a / 2f < b", 7, 3, 1.5),
        row("a / 2.0 > b", 7, 4, 1.5, "order: double 3.5, double 4.0"),
        row("a / 2.0 >= b", 7, 4, 1.5),
        row("a / 2.0 != b", 8, 4, 1),
        row("a / 0.0 == b / 0.0", 1, 1, 1),
        new DistanceRows.Row("a / 0.0 == b", 1, 1, MAX, null),
        new DistanceRows.Row("a / 0.0 < b", 1, 1, MAX, null),
        new DistanceRows.Row("a * 1e308 < b * 1e308", 1, -1, MAX, null),
        new DistanceRows.Row("a / 0.0 < b", 0, 1, MAX, null),
        new DistanceRows.Row("a / 0.0 > b", 0, 1, MAX, null),
        new DistanceRows.Row("a / 0f == b", 0, 1, MAX, null));
  }

  @Test
  void references_are_there_or_not() throws IOException {
    check(
        folder,
        "static Object o = 1; static Thread.State s = Thread.State.NEW;",
        row("a == null", "x", null, 1),
        row("a != null", null, null, 1),
        row("a == b", "x", "y", 1, "equal: text x, text y"),
        row("a == b", "x", "x", 1),
        row("a != b", "x", null, 1, "equal: text x, null"),
        row("o instanceof String", 1, 1, 1, ""),
        row(
            "s == Thread.State.BLOCKED",
            1,
            1,
            1,
            "order: enum java/lang/Thread$State.NEW, enum java/lang/Thread$State.BLOCKED"),
        row(
            "o.getClass() == String.class",
            1,
            1,
            1,
            "order: class Ljava/lang/Integer;, class Ljava/lang/String;"));
  }

  @Test
  void texts_are_as_far_as_their_chars_differ() throws IOException {
    check(
        folder,
        "",
        row("a.equals(b)", "abc", "abe", 2 / 3.0, "equal: text abc, text abe"),
        row("a.equals(b)", "abc", "ab", 1),
        row("a.equals(b)", "ab", "ab", 1),
        row("a.equals(b)", "ab", null, 3, "equal: text ab, null"),
        row("!a.equals(b)", "", "abc", 3),
        row("Objects.equals(a, b)", null, "ab", 3, "equal: null, text ab"),
        row("a.equalsIgnoreCase(b)", "AbC", "aBe", 2 / 3.0, "ignoring: text AbC, text aBe"),
        row("a.startsWith(b)", "abc", "ac", 0.5, "prefix: text abc, text ac"),
        row("a.startsWith(b)", "abc", "abcde", 2),
        row("a.endsWith(b)", "xyz", "az", 24 / 25.0, "suffix: text xyz, text az"),
        row("a.endsWith(b)", "z", "xyz", 2),
        row("a.contains(b)", "hello", "lp", 0.5, "part: text hello, text lp"),
        row("a.contains(b)", "", "lp", 2),
        row("a.matches(b)", "ab1x", "[a-z]+[0-9]+", 2, "pattern: text ab1x, text [a-z]+[0-9]+"),
        row("a.matches(b)", "ab", "[a-z]+[0-9]+", 1),
        row(
            "java.util.regex.Pattern.matches(b, a)",
            "ab?",
            "[a-z]+[0-9]+",
            2,
            "pattern: text ab?, text [a-z]+[0-9]+"),
        row("a.isEmpty()", "abc", null, 3, "equal: text abc, text "),
        row("a.isEmpty()", "", null, 1),
        row("a.compareTo(b) == 0", "c", "a", 2, "equal: text c, text a"),
        row("a.compareTo(b) < 0", "c", "a", 3),
        row("a.indexOf(b) >= 0", "hello", "lp", 0.5, "part: text hello, text lp"),
        row("a.indexOf(b) != -1", "hello", "lp", 0.5, "part: text hello, text lp"),
        row("a.indexOf(b) == -1", "hello", "lo", 4),
        row("a.length() == 2", "hello", null, 3, "order: int 5, int 2"));
  }

  @Test
  void boxes_collections_and_arrays_are_looked_into() throws IOException {
    check(
        folder,
        """
        static List<Object> list(Object... all) { return new ArrayList<>(Arrays.asList(all)); }
        static Map<Object, Object> map(Object k, Object v) {
          Map<Object, Object> map = new HashMap<>();
          map.put(k, v);
          return map;
        }
        """,
        row("Integer.valueOf(a).equals(b)", 7, 5, 2, "order: int 7, int 5"),
        row("Long.valueOf(a).equals((long) b)", 7, 5, 2, "order: long 7, long 5"),
        row("Character.valueOf((char) a).equals((char) b)", 97, 99, 2, "order: char 97, char 99"),
        row("((Object) a).equals(\"x\")", 7, 5, 1, ""),
        row("list(1, 2, 3).isEmpty()", 7, 5, 3, ""),
        row("list().isEmpty()", 7, 5, 1),
        row("map(1, 2).isEmpty()", 7, 5, 1),
        row("list(1, a).contains(b)", 7, 5, 2, "order: int 5, int 1, order: int 5, int 7"),
        row("list(1, a).contains(b)", 7, 7, 1),
        row("list().contains(b)", 7, 7, 1),
        row("map(a, 0).containsKey(b)", 7, 5, 2, "order: int 5, int 7"),
        row("map(0, a).containsValue(b)", 7, 5, 2),
        row(
            "Arrays.equals(new int[] {1, a}, new int[] {1, b})",
            7,
            5,
            2 / 3.0,
            "order: int 7, int 5"),
        row("Arrays.equals(new int[] {1}, new int[] {1, b})", 7, 5, 1),
        row(
            "Arrays.equals(new String[] {\"a\"}, new String[] {\"c\"})",
            7,
            5,
            0.4,
            "equal: text a, text c"));
  }

  @Test
  void a_switch_is_as_far_from_each_case_as_its_key() throws IOException {
    String source =
        """
        package t;
        public class C {
          static int near(int n) { switch (n) { case 1: case 2: case 4: return 1; default: return 0; } }
          static int far(int n) { switch (n) { case -1000: return 1; case 9: return 2; } return 0; }
          static int text(String s) { switch (s) { case "a": case "Cool": return 1; default: return 0; } }
        }
        """;
    Path classes = Sources.compile(folder, 8, "t/C.java", source);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      worker.watch(3, 4, 5, 6, 7);
      Outcome near = worker.run(s -> s.callStatic("t/C", "near", "(I)I", s.constant(7)));
      assertEquals(List.of("3=6.0", "4=5.0", "5=4.0", "6=3.0", "7=0.0"), near.distances());
      assertEquals("3 order: int 7, int 1", near.comparisons().get(0));
      Outcome hit = worker.run(s -> s.callStatic("t/C", "near", "(I)I", s.constant(4)));
      assertEquals(List.of("3=3.0", "4=2.0", "5=1.0", "6=0.0", "7=1.0"), hit.distances());
      Outcome both =
          worker.run(
              s -> {
                s.callStatic("t/C", "near", "(I)I", s.constant(-1000));
                s.callStatic("t/C", "near", "(I)I", s.constant(5));
              });
      assertEquals(List.of("3=4.0", "4=3.0", "5=2.0", "6=1.0", "7=0.0"), both.distances());
      assertEquals(
          List.of("3 order: int -1000, int 1", "3 order: int 5, int 1"),
          both.comparisons().stream().filter(each -> each.startsWith("3")).toList());
      worker.watch(11, 12, 13);
      Outcome far = worker.run(s -> s.callStatic("t/C", "far", "(I)I", s.constant(8)));
      assertEquals(List.of("11=1008.0", "12=1.0", "13=0.0"), far.distances());
      // Hash codes: "a" is 97, "Cool" is 2106261.
      worker.watch(18, 19, 20);
      Outcome text = worker.run(s -> s.callStatic("t/C", "text", "(" + TEXT + ")I", s.text("b")));
      assertEquals(List.of("18=0.5", "19=" + (3 + 31 / 32.0), "20=0.0"), text.distances());
      assertEquals(
          List.of("18 equal: text b, text a", "19 equal: text b, text Cool"), text.comparisons());
    }
  }

  private static final String TEXT = "Ljava/lang/String;";
}
