package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each mutant does what its operator says, and nothing while it is off. */
class MutantOperatorTest {
  static final String CODE =
      """
      package code;
      import java.util.*;
      public class Code {
        static int less(int n) { if (n < 3) { return 1; } return 2; }
        static int most(int n) { if (n <= 3) { return 1; } return 2; }
        static int more(int n, int m) { if (n > m) { return 1; } return 2; }
        static int least(int n) { if (n >= 0) { return 1; } return 2; }
        static int zero(int n) { if (n == 0) { return 1; } return 2; }
        static int isNull(int n) { Object o = n == 0 ? null : ""; if (o == null) { return 1; } return 2; }
        static int isSame(int n) { Object a = "a", b = "b"; if ((n > 0 ? b : a) == b) { return 1; } return 2; }
        static int add(int n) { return n + 5; }
        static long subtract(int n) { return n - 5L; }
        static float multiply(int n) { return n * 5f; }
        static double divide(int n) { return n / 5d; }
        static long remainder(int n) { return n % 5L; }
        static int shiftLeft(int n) { return n << 1; }
        static long shiftRight(int n) { return (long) n >> 1; }
        static int shiftZeros(int n) { return n >>> 1; }
        static long and(int n) { return n & 5L; }
        static int or(int n) { return n | 5; }
        static long xor(int n) { return n ^ 5L; }
        static int half(int n) { return 8 / n; }
        static int twice(int n) { return 8 * n; }
        static int step(int n) { n += 3; return n; }
        static int minus(int n) { return -n; }
        static long minusLong(int n) { return -(long) n; }
        static float minusFloat(int n) { return -(float) n; }
        static double minusDouble(int n) { return -(double) n; }
        static int call(int n) { List<Integer> list = new ArrayList<>(); list.add(2, n); return list.size(); }
        static int sort(int n) { int[] all = {n, 1}; long big = 7; Arrays.fill(all, 0, 1, 5); return all[0] + (int) big; }
        static String text(int n) { return "t" + n; }
        static List<Integer> list(int n) { return Arrays.asList(n); }
        static Integer box(int n) { return n; }
        static boolean is(int n) { return n == 1 || n == 2; }
        static Boolean isBox(int n) { return Boolean.valueOf(is(n)); }
        static Object object(int n) { long keep = n; return new int[(int) keep]; }
        static long big(int n) { return (long) n; }
        static double wide(int n) { return (double) n; }
        static float slim(int n) { return (float) n; }
        static char letter(int n) { return (char) n; }
        static int loop(int n) { int i = 0; while (i < n) { i++; } return i; }
      }
      """;

  @TempDir Path folder;

  private static final Map<String, String> RESULTS =
      Map.of(
          "String", "Ljava/lang/String;",
          "List", "Ljava/util/List;",
          "Integer", "Ljava/lang/Integer;",
          "Boolean", "Ljava/lang/Boolean;",
          "Object", "Ljava/lang/Object;");

  static Consumer<SequenceBuilder> call(String name, String result, int argument) {
    String type = RESULTS.getOrDefault(result, result);
    return s -> s.callStatic("code/Code", name, "(I)" + type, s.constant(argument));
  }

  /** Method, result, argument, what it gives; then what it gives with each mutant. */
  private static final String ROWS =
      """
      less I 3: 2; CONDITIONALS_BOUNDARY 1, REMOVE_CONDITIONALS 2, PRIMITIVE_RETURNS 2, PRIMITIVE_RETURNS 0
      less I 2: 1; CONDITIONALS_BOUNDARY 1, REMOVE_CONDITIONALS 2, PRIMITIVE_RETURNS 0, PRIMITIVE_RETURNS 1
      most I 3: 1; CONDITIONALS_BOUNDARY 2, REMOVE_CONDITIONALS 2, PRIMITIVE_RETURNS 0, PRIMITIVE_RETURNS 1
      least I 0: 1; CONDITIONALS_BOUNDARY 2, REMOVE_CONDITIONALS 2, PRIMITIVE_RETURNS 0, PRIMITIVE_RETURNS 1
      least I 1: 1; CONDITIONALS_BOUNDARY 1, REMOVE_CONDITIONALS 2, PRIMITIVE_RETURNS 0, PRIMITIVE_RETURNS 1
      zero I 0: 1; REMOVE_CONDITIONALS 2, PRIMITIVE_RETURNS 0, PRIMITIVE_RETURNS 1
      isNull I 0: 1; REMOVE_CONDITIONALS 2, REMOVE_CONDITIONALS 2, PRIMITIVE_RETURNS 0, PRIMITIVE_RETURNS 1
      isSame I 1: 1; CONDITIONALS_BOUNDARY 1, REMOVE_CONDITIONALS 2, REMOVE_CONDITIONALS 2, PRIMITIVE_RETURNS 0, PRIMITIVE_RETURNS 1
      add I 7: 12; MATH 2, PRIMITIVE_RETURNS 0
      subtract J 7: 2; MATH 12, PRIMITIVE_RETURNS 0
      multiply F 7: 35.0; MATH 1.4, PRIMITIVE_RETURNS 0.0
      divide D 7: 1.4; MATH 35.0, PRIMITIVE_RETURNS 0.0
      remainder J 7: 2; MATH 35, PRIMITIVE_RETURNS 0
      shiftLeft I 7: 14; MATH 3, PRIMITIVE_RETURNS 0
      shiftRight J 7: 3; MATH 14, PRIMITIVE_RETURNS 0
      shiftZeros I 7: 3; MATH 14, PRIMITIVE_RETURNS 0
      and J 12: 4; MATH 13, PRIMITIVE_RETURNS 0
      or I 12: 13; MATH 4, PRIMITIVE_RETURNS 0
      xor J 12: 9; MATH 4, PRIMITIVE_RETURNS 0
      half I 2: 4; MATH 16, PRIMITIVE_RETURNS 0
      twice I 0: 0; MATH ArithmeticException, PRIMITIVE_RETURNS 0
      step I 1: 4; INCREMENTS -2, PRIMITIVE_RETURNS 0
      minus I 2: -2; INVERT_NEGS 2, PRIMITIVE_RETURNS 0
      minusLong J 2: -2; INVERT_NEGS 2, PRIMITIVE_RETURNS 0
      minusFloat F 2: -2.0; INVERT_NEGS 2.0, PRIMITIVE_RETURNS 0.0
      minusDouble D 2: -2.0; INVERT_NEGS 2.0, PRIMITIVE_RETURNS 0.0
      call I 1: IndexOutOfBoundsException; VOID_METHOD_CALLS 0, PRIMITIVE_RETURNS IndexOutOfBoundsException
      sort I 1: 12; VOID_METHOD_CALLS 8, MATH -2, PRIMITIVE_RETURNS 0
      text String 1: t1; EMPTY_RETURNS\s
      list List 1: java/util/Arrays$ArrayList; EMPTY_RETURNS java/util/Collections$EmptyList
      box Integer 4: 4; EMPTY_RETURNS 0
      is Z 2: true; REMOVE_CONDITIONALS true, REMOVE_CONDITIONALS false, TRUE_RETURNS true
      isBox Boolean 2: true; FALSE_RETURNS false, TRUE_RETURNS true
      object Object 1: [I; NULL_RETURNS null
      big J 3: 3; PRIMITIVE_RETURNS 0
      wide D 3: 3.0; PRIMITIVE_RETURNS 0.0
      slim F 3: 3.0; PRIMITIVE_RETURNS 0.0
      letter C 3: 3; PRIMITIVE_RETURNS 0
      loop I 3: 3; CONDITIONALS_BOUNDARY 4, REMOVE_CONDITIONALS 0, INCREMENTS out of fuel, PRIMITIVE_RETURNS 0
      """;

  @ParameterizedTest
  @ValueSource(ints = {49, 50, 52, 61})
  void each_mutant_does_what_its_operator_says(int version) throws IOException {
    Path classes = Sources.compile(folder, Math.max(8, version - 44), "code/Code.java", CODE);
    Path file = classes.resolve("code/Code.class");
    byte[] bytes = Files.readAllBytes(file);
    bytes[7] = (byte) version; // javac no longer writes the oldest ones
    Files.write(file, bytes);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      assertEquals(ROWS, found(worker, ROWS, one -> true));
    }
  }

  /** The same rows, as code/Code behaves with those of its mutants that are wanted. */
  static String found(WorkerProcess worker, String rows, Predicate<String> isWanted)
      throws IOException {
    List<String> mutants = worker.mutate("code/Code");
    worker.begin("code.Code");
    StringBuilder found = new StringBuilder();
    for (String row : rows.split("\n")) {
      String[] words = row.split("[ :]");
      var call = call(words[0], words[1], Integer.parseInt(words[2]));
      worker.turnOn(0, 100_000);
      found.append(String.join(" ", words[0], words[1], words[2]) + ": ");
      found.append(last(worker.run(call)) + "; ");
      List<String> all = new ArrayList<>();
      for (int number = 1; number <= mutants.size(); number++) {
        String mutant = mutants.get(number - 1);
        if (mutant.contains("Code." + words[0] + "(") && isWanted.test(mutant)) {
          worker.turnOn(number, 1_000);
          all.add(mutant.split(" ")[0] + " " + last(worker.run(call)));
        }
      }
      found.append(String.join(", ", all) + "\n");
    }
    return found.toString();
  }

  /** What a sequence gave last; how it ended where it did not complete. */
  static String last(Outcome outcome) {
    if (outcome.end().startsWith("threw")) {
      return outcome.end().replaceAll(".*?java/(lang|util)/(\\w+).*", "$2");
    }
    if (!outcome.end().equals("completed")) {
      return outcome.end();
    }
    List<String> seen = outcome.observations();
    String last = seen.get(seen.size() - 1);
    return last.replaceFirst("^(boxed )?(int|long|float|double|char|boolean|text) ", "")
        .replaceFirst("( of)? \\[.*", "");
  }
}
