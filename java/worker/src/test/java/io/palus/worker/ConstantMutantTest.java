package io.palus.worker;

import static io.palus.worker.MutantTest.reached;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mutants of what an enum's constants are made with, and of the order of dates. */
class ConstantMutantTest {
  private static final String CODE =
      """
      package code;
      import java.math.BigDecimal;
      import java.time.LocalDate;
      import java.util.function.Supplier;
      public class Code {
        enum Colour {
          RED("r", 7, new BigDecimal("1.5"), () -> "red"),
          GREEN("g", 8, new BigDecimal("2.5"), () -> "green") { int twice() { return 1; } };
          private final String name; private final long width; private final BigDecimal price;
          private final Supplier<String> text; int count;
          Colour(String name, long width, BigDecimal price, Supplier<String> text) {
            this.name = name; this.width = width; this.price = price; this.text = text;
          }
          int twice() { return (int) (width + width); }
          String told() { return name + price + text.get(); }
        }
        static String name(int n) { return Colour.values()[n].name; }
        static int twice(int n) { return Colour.values()[n].twice(); }
        static String price(int n) { return "" + Colour.values()[n].price; }
        static String all(int n) { return Colour.RED.name + Colour.GREEN.name; }
        static int isBefore(int n) {
          return LocalDate.ofEpochDay(n).isBefore(LocalDate.ofEpochDay(5)) ? 1 : 0;
        }
        static int isAfter(int n) {
          return LocalDate.ofEpochDay(n).isAfter(LocalDate.ofEpochDay(5)) ? 1 : 0;
        }
      }
      """;

  @TempDir Path folder;

  private static Consumer<SequenceBuilder> call(String name, String result, int argument) {
    return MutantOperatorTest.call(name, result, argument);
  }

  @Test
  void each_constant_has_one_for_each_final_field_and_each_says_which() throws IOException {
    Path classes = Sources.compile(folder, 11, "code/Code.java", CODE);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      List<String> mutants = worker.mutate("code/Code$Colour");
      List<String> found = new ArrayList<>();
      for (int i = 0; i < mutants.size(); i++) {
        if (mutants.get(i).startsWith("ENUM_CONSTANT ")) {
          found.add(mutants.get(i).replaceAll(".*[$]", "") + " " + worker.details.get(i));
        }
      }
      List<String> expected =
          List.of(
              "Colour.<clinit>()V:7 RED.name",
              "Colour.<clinit>()V:8 GREEN.name",
              "Colour.<clinit>()V:7 RED.width",
              "Colour.<clinit>()V:8 GREEN.width",
              "Colour.<clinit>()V:7 RED.price",
              "Colour.<clinit>()V:8 GREEN.price",
              "Colour.<clinit>()V:7 RED.text",
              "Colour.<clinit>()V:8 GREEN.text");
      assertEquals(expected, found);
    }
  }

  @Test
  void one_constant_has_another_value_and_the_others_have_theirs() throws IOException {
    // As javac 8 has it, the class around reads private fields by methods of the enum.
    Path classes = Sources.compile(folder, 8, "code/Code.java", CODE);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      List<String> mutants = worker.mutate("code/Code$Colour");
      worker.begin();
      assertEquals("14", MutantOperatorTest.last(worker.run(call("twice", "I", 0))));
      worker.turnOn(1 + 2 * 1, 1_000);
      assertEquals("16", MutantOperatorTest.last(worker.run(call("twice", "I", 0))));
      assertEquals("1", MutantOperatorTest.last(worker.run(call("twice", "I", 1))));
      assertEquals("rg", MutantOperatorTest.last(worker.run(call("all", "String", 0))));
      worker.turnOn(1 + 1, 1_000);
      assertEquals("rg?", MutantOperatorTest.last(worker.run(call("all", "String", 0))));
      assertEquals("r", MutantOperatorTest.last(worker.run(call("name", "String", 0))));
      worker.turnOn(1 + 2 * 2 + 1, 1_000);
      assertEquals("3.5", MutantOperatorTest.last(worker.run(call("price", "String", 1))));
      assertEquals("1.5", MutantOperatorTest.last(worker.run(call("price", "String", 0))));
      worker.turnOn(0, 1_000);
      List<String> told = reached(worker, mutants, call("name", "String", 1));
      assertEquals(List.of("ENUM_CONSTANT false", "ENUM_CONSTANT true"), told.subList(0, 2));
    }
  }

  @Test
  void dates_that_are_equal_come_before_and_after_one_another() throws IOException {
    Path classes = Sources.compile(folder, 8, "code/Code.java", CODE);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      List<String> mutants = worker.mutate("code/Code");
      worker.begin();
      for (String name : List.of("isBefore", "isAfter")) {
        List<String> told = reached(worker, mutants, call(name, "I", 5));
        assertEquals("DATE_BOUNDARY true", told.get(0));
        told = reached(worker, mutants, call(name, "I", 6));
        assertEquals("DATE_BOUNDARY false", told.get(0));
      }
      List<String> results = new ArrayList<>();
      for (int number = 1; number <= mutants.size(); number++) {
        if (mutants.get(number - 1).startsWith("DATE_BOUNDARY ")) {
          worker.turnOn(number, 1_000);
          for (int day : new int[] {4, 5, 6}) {
            results.add(MutantOperatorTest.last(worker.run(call("isBefore", "I", day))));
            results.add(MutantOperatorTest.last(worker.run(call("isAfter", "I", day))));
          }
        }
      }
      assertEquals(List.of("1", "0", "1", "0", "0", "1", "1", "0", "0", "1", "0", "1"), results);
    }
  }
}
