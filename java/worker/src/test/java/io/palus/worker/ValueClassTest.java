package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of value classes of the subject it is told what their objects hold. */
class ValueClassTest {
  private static final String SHOP =
      """
      package demo;
      public class Shop {
        record Price(long cents, String currency) { }
        static final class Line {
          private final String name;
          private final Price price;
          Line(String name, Price price) { this.name = name; this.price = price; }
          @Override public boolean equals(Object other) {
            throw new IllegalStateException("nobody asks");
          }
        }
        record Held(Object what) { }
        static final class Changing {
          int count = 1;
          @Override public boolean equals(Object other) { return false; }
        }
        static final class Own { final int count = 1; }
        static Object line() { return new Line("tea", new Price(5, "EUR")); }
        static Object held() { return new Held(new Object()); }
        static Object changing() { return new Changing(); }
        static Object own() { return new Own(); }
      }
      """;

  @TempDir Path folder;

  private String seen(WorkerProcess worker, String method) throws IOException {
    Outcome outcome =
        worker.run(one -> one.callStatic("demo/Shop", method, "()Ljava/lang/Object;"));
    assertEquals("completed", outcome.end());
    return outcome.observations().get(0);
  }

  @Test
  void the_fields_of_what_never_changes_and_has_an_equals_are_told_and_no_others()
      throws IOException {
    Path classes = Sources.compile(folder, 17, "demo/Shop.java", SHOP);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      worker.begin();
      String line = seen(worker, "line");
      String price = "demo/Shop$Price [4, 1] of [boxed long 5, boxed text EUR]";
      assertTrue(line.startsWith("demo/Shop$Line"), line);
      assertTrue(line.endsWith(" of [boxed text tea, " + price + "]"), line);
      for (String method : List.of("held", "changing", "own")) {
        String other = seen(worker, method);
        assertTrue(!other.contains(" of "), other);
      }
    }
  }
}
