package io.palus.worker;

import static io.palus.worker.MutantOperatorTest.call;
import static io.palus.worker.MutantOperatorTest.found;
import static io.palus.worker.MutantTest.reached;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutants that store nothing in a field, or have a receiver or an argument in place of a call. */
class StoreAndCallMutantTest {
  private static final String CODE =
      """
      package code;
      import java.math.BigDecimal;
      import java.util.*;
      public class Code {
        int size = 7; byte small; boolean is; long big; float slim; double wide; Object any; int[] all;
        static final Map<String, String> NAMES = new HashMap<>();
        Code next;
        Code(int n) { small = (byte) n; }
        Code set(int n) { size = n; return new Code(1).from(this, n, 2L); }
        Code from(Code other, int n, long more) { size = other.size + n + (int) more; return other; }
        static double of(double a, int n, double b) { NAMES.put("n", "" + n); return a + n + b; }
        static int initial(int n) { return new Code(n).size; }
        static int given(int n) { return new Code(n).small; }
        static int setInt(int n) { Code c = new Code(1); c.size = n; return c.size; }
        static boolean setTruth(int n) { Code c = new Code(1); c.is = n > 0; return c.is; }
        static long setBig(int n) { Code c = new Code(1); c.big = n; return c.big; }
        static float setSlim(int n) { Code c = new Code(1); c.slim = n; return c.slim; }
        static double setWide(int n) { Code c = new Code(1); c.wide = n; return c.wide; }
        static Object setAny(int n) { Code c = new Code(1); c.any = "a" + n; return c.any; }
        static int setAll(int n) { Code c = new Code(1); c.all = new int[n]; c.all = new int[n + 1]; return c.all.length; }
        static String sum(int n) { return new BigDecimal(n).add(new BigDecimal("2")).toString(); }
        static String trim(int n) { return (" a" + n).trim(); }
        static String cut(int n) { return "abc".substring(n); }
        static String grow(int n) { StringBuilder b = new StringBuilder("a"); b.append(n); return b.toString(); }
        static long wide(int n) { Code c = new Code(1); c.count(n); c.count(1); return c.big; }
        long count(int n) { big += n; return big; }
        static int more(int n) { return Math.max(n, 3); }
        static long most(int n) { return Math.max(3L, n); }
        static Object put(int n) { NAMES.clear(); NAMES.put("a", "b" + n); return NAMES.get("a"); }
        static int chain(int n) { return new Code(1).set(n).size; }
        static double mixed(int n) { NAMES.clear(); return of(1.5, n, 2.5) + NAMES.size(); }
        static int inNew(int n) { return new Code(new Code(1).set(n).size).small; }
      }
      """;

  /** Without those of PIT's default mutators. */
  private static final String ROWS =
      """
      initial I 3: 7;\s
      given I 3: 3;\s
      setInt I 5: 5; MEMBER_VARIABLE 7
      setTruth Z 5: true; MEMBER_VARIABLE false
      setBig J 5: 5; MEMBER_VARIABLE 0
      setSlim F 5: 5.0; MEMBER_VARIABLE 0.0
      setWide D 5: 5.0; MEMBER_VARIABLE 0.0
      setAny Object 5: a5; MEMBER_VARIABLE null
      setAll I 5: 6; MEMBER_VARIABLE 6, MEMBER_VARIABLE 5
      sum String 5: 7; NAKED_RECEIVER 5, ARGUMENT_PROPAGATION 2
      trim String 5: a5; NAKED_RECEIVER  a5
      cut String 2: c; NAKED_RECEIVER abc
      cut String 9: StringIndexOutOfBoundsException; NAKED_RECEIVER abc
      grow String 5: a5; NON_VOID_METHOD_CALLS a
      wide J 5: 6; NON_VOID_METHOD_CALLS 1, NON_VOID_METHOD_CALLS 5
      more I 2: 3; ARGUMENT_PROPAGATION 3
      more I 5: 5; ARGUMENT_PROPAGATION 3
      most J 5: 5; ARGUMENT_PROPAGATION 5
      put Object 5: b5; NON_VOID_METHOD_CALLS null, ARGUMENT_PROPAGATION a
      chain I 5: 5; NAKED_RECEIVER 7
      mixed D 5: 10.0; ARGUMENT_PROPAGATION 2.5
      inNew I 5: 5; NAKED_RECEIVER 7
      """;

  @TempDir Path folder;

  private static boolean isOurs(String mutant) {
    return mutant.matches(
        "(MEMBER_VARIABLE|NAKED_RECEIVER|ARGUMENT_PROPAGATION|NON_VOID_METHOD_CALLS) .*");
  }

  private Path compile(int version) throws IOException {
    Path classes = Sources.compile(folder, Math.max(8, version - 44), "code/Code.java", CODE);
    Path file = classes.resolve("code/Code.class");
    byte[] bytes = Files.readAllBytes(file);
    bytes[7] = (byte) version; // javac no longer writes the oldest ones
    Files.write(file, bytes);
    return classes;
  }

  @ParameterizedTest
  @ValueSource(ints = {49, 50, 52, 61})
  void each_mutant_does_what_its_operator_says(int version) throws IOException {
    try (WorkerProcess worker = WorkerProcess.patient(folder, compile(version))) {
      assertEquals(ROWS, found(worker, ROWS, StoreAndCallMutantTest::isOurs));
    }
  }

  @Test
  void each_says_which_field_or_which_method_it_is_about() throws IOException {
    try (WorkerProcess worker = WorkerProcess.patient(folder, compile(52))) {
      List<String> mutants = worker.mutate("code/Code");
      List<String> found = new ArrayList<>();
      for (int i = 0; i < mutants.size(); i++) {
        if (mutants.get(i).matches(".*Code\\.(<init>|set|from|of|sum|put)\\(.*")) {
          found.add(mutants.get(i).replaceAll(" .*[.](.*)[(].*", " $1 ") + worker.details.get(i));
        }
      }
      List<String> expected =
          List.of(
              "MEMBER_VARIABLE <init> size",
              "MEMBER_VARIABLE <init> small",
              "MEMBER_VARIABLE set size",
              "NAKED_RECEIVER set from",
              "ARGUMENT_PROPAGATION set from",
              "NULL_RETURNS set ",
              "MATH from +",
              "MATH from +",
              "MEMBER_VARIABLE from size",
              "NULL_RETURNS from ",
              "NON_VOID_METHOD_CALLS of put",
              "MATH of +",
              "MATH of +",
              "PRIMITIVE_RETURNS of ",
              "NAKED_RECEIVER sum add",
              "ARGUMENT_PROPAGATION sum add",
              "EMPTY_RETURNS sum ",
              "VOID_METHOD_CALLS put clear",
              "NON_VOID_METHOD_CALLS put put",
              "ARGUMENT_PROPAGATION put get",
              "NULL_RETURNS put ");
      assertEquals(expected, found);
    }
  }

  @Test
  void a_fault_of_a_constructor_leaves_zero_in_the_field() throws IOException {
    try (WorkerProcess worker = WorkerProcess.patient(folder, compile(61))) {
      List<String> mutants = worker.mutate("code/Code");
      worker.begin();
      List<String> results = new ArrayList<>();
      for (int number = 1; number <= mutants.size(); number++) {
        if (mutants.get(number - 1).contains("Code.<init>(")) {
          worker.turnOn(number, 1_000);
          results.add(MutantOperatorTest.last(worker.run(call("initial", "I", 3))));
          results.add(MutantOperatorTest.last(worker.run(call("given", "I", 3))));
        }
      }
      assertEquals(List.of("0", "3", "7", "0"), results);
    }
  }

  @Test
  void what_makes_no_difference_there_is_told() throws IOException {
    try (WorkerProcess worker = WorkerProcess.patient(folder, compile(61))) {
      List<String> mutants = worker.mutate("code/Code");
      worker.begin();
      assertEquals(
          List.of("ARGUMENT_PROPAGATION false", "PRIMITIVE_RETURNS true"),
          reached(worker, mutants, call("more", "I", 2)));
      assertEquals(
          List.of("ARGUMENT_PROPAGATION true", "PRIMITIVE_RETURNS true"),
          reached(worker, mutants, call("more", "I", 5)));
      // It would not throw.
      assertEquals(
          List.of("NAKED_RECEIVER true"), reached(worker, mutants, call("cut", "String", 9)));
      assertEquals(
          List.of("NAKED_RECEIVER false", "EMPTY_RETURNS true"),
          reached(worker, mutants, call("cut", "String", 0)));
      List<String> stored = reached(worker, mutants, call("setInt", "I", 7));
      assertEquals("MEMBER_VARIABLE false", stored.get(2));
      stored = reached(worker, mutants, call("setInt", "I", 8));
      assertEquals("MEMBER_VARIABLE true", stored.get(2));
    }
  }

  @Test
  void a_check_that_is_left_out_makes_a_difference_where_it_would_throw() throws IOException {
    String code =
        """
        package code;
        public class Code {
          static int check(int n) { java.util.Objects.requireNonNull(n > 0 ? "a" : null); return 0; }
        }
        """;
    Path classes = Sources.compile(folder, 17, "code/Code.java", code);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      List<String> mutants = worker.mutate("code/Code");
      worker.begin();
      List<String> kept = reached(worker, mutants, call("check", "I", 1));
      assertEquals("ARGUMENT_PROPAGATION false", kept.get(kept.size() - 1));
      List<String> thrown = reached(worker, mutants, call("check", "I", 0));
      assertEquals("ARGUMENT_PROPAGATION true", thrown.get(thrown.size() - 1));
    }
  }

  @Test
  void what_nobody_wrote_and_what_changes_nothing_has_none() throws IOException {
    String code =
        """
        package code;
        import java.util.Objects;
        public class Code {
          int zero = 0; String none = null; final String name;
          enum Colour { RED(1); int n; Colour(int n) { this.n = n; } }
          record Pair(int left, String right) { Pair { right = right.trim(); } }
          Code(String name) { this.name = Objects.requireNonNull(name); }
          class Inner { Inner same() { Runnable run = Inner.this::same; return Code.this.new Inner(); } }
          public int hashCode() { return Integer.hashCode(zero); }
          String text(int n) { return "a" + n + (n > 1 ? name + n : "b"); }
        }
        """;
    // The oldest level with records is one at which javac puts texts together otherwise.
    Path classes = Sources.compile(folder, 17, "code/Code.java", code);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      String[] names = Sources.names(classes).toArray(new String[0]);
      List<String> expected =
          List.of(
              "ARGUMENT_PROPAGATION code/Code.<init>(Ljava/lang/String;)V:7",
              "MEMBER_VARIABLE code/Code.<init>(Ljava/lang/String;)V:7",
              "NAKED_RECEIVER code/Code$Pair.<init>(ILjava/lang/String;)V:6");
      List<String> mutants = worker.mutate(names);
      assertEquals(
          expected, mutants.stream().filter(StoreAndCallMutantTest::isOurs).sorted().toList());
    }
  }

  @Test
  void what_the_compiler_gives_a_record_has_none() throws IOException {
    String code =
        """
        package code;
        public record Code(int left, String right) {
          public String right() { return right.trim(); }
          int width() { return left; }
        }
        """;
    Path classes = Sources.compile(folder, 17, "code/Code.java", code);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      List<String> mutants = worker.mutate("code/Code");
      List<String> methods =
          mutants.stream().map(one -> one.replaceAll(".*Code\\.(\\w+).*", "$1")).toList();
      assertEquals(List.of("right", "width"), methods.stream().distinct().sorted().toList());
    }
  }

  @Test
  void a_class_that_is_too_large_with_them_has_those_of_the_default_mutators() throws IOException {
    String line = "n = Math.max(n, 7) * 3;\n";
    String code =
        "package code; public class Code { static int run(int n) {\n"
            + line.repeat(1500)
            + "return n; } }";
    Path classes = Sources.compile(folder, 8, "code/Code.java", code);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      List<String> mutants = worker.mutate("code/Code");
      assertEquals(1501, mutants.size());
      assertEquals(0, mutants.stream().filter(StoreAndCallMutantTest::isOurs).count());
    }
  }
}
