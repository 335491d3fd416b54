package io.palus.worker;

import static io.palus.worker.MutantOperatorTest.CODE;
import static io.palus.worker.MutantOperatorTest.call;
import static io.palus.worker.MutantOperatorTest.last;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.worker.instrument.ProbeTable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which code has mutants, when they do nothing, and that all classes bear them. */
class MutantTest {
  @TempDir Path folder;

  @Test
  void what_a_sequence_reaches_is_told_and_whether_it_matters_there() throws IOException {
    Path classes = Sources.compile(folder, 8, "code/Code.java", CODE);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      List<String> mutants = worker.mutate("code/Code");
      worker.begin();
      assertEquals(
          List.of(
              "CONDITIONALS_BOUNDARY false", "REMOVE_CONDITIONALS true", "PRIMITIVE_RETURNS true"),
          reached(worker, mutants, call("less", "I", 2)));
      assertEquals(
          List.of(
              "CONDITIONALS_BOUNDARY true", "REMOVE_CONDITIONALS false", "PRIMITIVE_RETURNS true"),
          reached(worker, mutants, call("less", "I", 3)));
      assertEquals(
          List.of("MATH true", "PRIMITIVE_RETURNS false"),
          reached(worker, mutants, call("twice", "I", 0)));
      assertEquals(
          List.of("MATH true", "PRIMITIVE_RETURNS false"),
          reached(worker, mutants, call("add", "I", -5)));
      worker.turnOn(1, 1_000);
      assertEquals(List.of(), reached(worker, mutants, call("less", "I", 2)));
      worker.mutate();
      worker.begin();
      assertEquals("2", last(worker.run(call("less", "I", 3))));
    }
  }

  static List<String> reached(
      WorkerProcess worker, List<String> mutants, Consumer<SequenceBuilder> sequence)
      throws IOException {
    worker.run(sequence);
    List<String> texts = new ArrayList<>();
    worker.reached.forEach(
        (n, differs) -> texts.add(mutants.get(n - 1).split(" ")[0] + " " + differs));
    return texts;
  }

  @Test
  void code_that_nobody_wrote_has_no_mutants() throws IOException {
    String code =
        """
        package code;
        public class Code implements Comparable<Code> {
          enum Colour { RED, GREEN }
          static boolean isWarm(String name) {
            switch (name) {
              case "red": case "Aa": return name.length() > 2;
              case "BB": return false;
              default: return true;
            }
          }
          static void checked(int n) { assert n > 0 && n < 5 : "n"; }
          static int closes(java.io.StringReader in) throws java.io.IOException {
            try (java.io.StringReader reader = in) { return reader.read(); }
          }
          public int compareTo(Code other) { return other.hashCode(); }
          @Generated int made(int n) { return n + 1; }
          Runnable later(int n) { return () -> checked(n + 1); }
          @interface Generated {}
        }
        """;
    Path classes = Sources.compile(folder, 11, "code/Code.java", code);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      List<String> mutants = worker.mutate("code/Code", "code/Code$Colour");
      List<String> expected =
          List.of(
              "CONDITIONALS_BOUNDARY code/Code.isWarm(Ljava/lang/String;)Z:6",
              "REMOVE_CONDITIONALS code/Code.isWarm(Ljava/lang/String;)Z:6",
              "TRUE_RETURNS code/Code.isWarm(Ljava/lang/String;)Z:6",
              "TRUE_RETURNS code/Code.isWarm(Ljava/lang/String;)Z:7",
              "FALSE_RETURNS code/Code.isWarm(Ljava/lang/String;)Z:8",
              "PRIMITIVE_RETURNS code/Code.closes(Ljava/io/StringReader;)I:13",
              "PRIMITIVE_RETURNS code/Code.compareTo(Lcode/Code;)I:15",
              "NULL_RETURNS code/Code.later(I)Ljava/lang/Runnable;:17",
              "MATH code/Code.lambda$later$0(I)V:17",
              "VOID_METHOD_CALLS code/Code.lambda$later$0(I)V:17");
      assertEquals(expected, mutants.stream().filter(one -> !isOfClosing(one)).toList());
    }
  }

  /** The closing of a resource after its block looks as if somebody had written it. */
  private static boolean isOfClosing(String mutant) {
    return mutant.contains(".closes(") && !mutant.startsWith("PRIMITIVE");
  }

  @Test
  void class_initialisers_never_see_a_mutant() throws IOException {
    String holder =
        """
        package code;
        public class Holder {
          static final int VALUE = Code.add(7);
          static int sum(int n) { return VALUE + n; }
        }
        """;
    Path classes = Sources.compile(folder, 8, "code/Code.java", CODE, "code/Holder.java", holder);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      List<String> mutants = worker.mutate("code/Code");
      worker.begin();
      int math = mutants.indexOf("MATH code/Code.add(I)I:11") + 1;
      worker.turnOn(math, 100_000);
      assertEquals("-4", last(worker.run(call("add", "I", 1))));
      assertEquals(
          "int 13",
          worker
              .run(s -> s.callStatic("code/Holder", "sum", "(I)I", s.constant(1)))
              .observations()
              .get(1));
    }
  }

  @Test
  void a_protected_method_of_another_package_may_be_left_out() throws IOException {
    String base =
        "package base; public class Base { protected int n = 1; protected void set(long a, int b) {"
            + " n = b; } protected static void count(Base base) { base.n++; } }";
    String code =
        """
        package code;
        public class Sub extends base.Base {
          public int get(int b) { set(5L, b); super.set(7L, n + 1); count(this); return n; }
        }
        """;
    Path classes = Sources.compile(folder, 8, "base/Base.java", base, "code/Sub.java", code);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      assertEquals(5, worker.mutate("code/Sub").size());
      worker.begin();
      List<String> results = new ArrayList<>();
      for (int number = 0; number <= 5; number++) {
        worker.turnOn(number, 100_000);
        results.add(
            last(
                worker.run(
                    s -> {
                      int sub = s.construct("code/Sub", "()V");
                      s.callVirtual("code/Sub", "get", "(I)I", sub, s.constant(5));
                    })));
      }
      assertEquals(List.of("7", "3", "5", "6", "6", "0"), results);
    }
  }

  @Test
  void a_class_that_is_too_large_with_mutants_has_none() throws IOException {
    String line = "n = n * 3 + (n > 7 ? n - 1 : n / 2);\n";
    String code =
        "package code; public class Big { static int run(int n) {\n"
            + line.repeat(1300)
            + "return n; } }";
    Path classes = Sources.compile(folder, 8, "code/Big.java", code);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      assertEquals(List.of(), worker.mutate("code/Big"));
      worker.begin();
      Outcome outcome = worker.run(s -> s.callStatic("code/Big", "run", "(I)I", s.constant(1)));
      assertEquals("completed", outcome.end());
    }
  }

  @Test
  void classes_of_all_libraries_at_hand_are_verified_with_their_mutants() throws Exception {
    String own = System.getProperty("java.class.path");
    List<String> jars =
        Stream.of(own.split(File.pathSeparator)).filter(path -> path.endsWith(".jar")).toList();
    Map<String, Integer> numbers = new HashMap<>();
    for (String jar : jars) {
      try (ZipFile file = new ZipFile(jar)) {
        file.stream()
            .map(entry -> entry.getName())
            .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
            .filter(name -> !name.startsWith("META-INF/"))
            .forEach(name -> numbers.putIfAbsent(name.replace(".class", ""), numbers.size()));
      }
    }
    SubjectClasses classes = new SubjectClasses(new ClassPath(jars), numbers, new ProbeTable());
    List<String> names = List.copyOf(new TreeSet<>(numbers.keySet()));
    int mutants = classes.mutate(names).size();
    SubjectLoader loader = new SubjectLoader(classes);
    List<String> refused = new ArrayList<>();
    for (String name : names) {
      try {
        Class.forName(name.replace('/', '.'), true, loader);
      } catch (VerifyError | ClassFormatError e) {
        refused.add(name + ": " + e.getMessage());
      } catch (Throwable e) {
        continue; // what it needs is not there
      }
    }
    assertEquals(List.of(), refused);
    assertTrue(names.size() > 500 && mutants > 10_000, names.size() + ", " + mutants);
  }
}
