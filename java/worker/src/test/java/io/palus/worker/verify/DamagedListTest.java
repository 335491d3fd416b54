package io.palus.worker.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.palus.wire.Mutator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whatever bytes come as a list of tests, they are read or refused, with little memory and soon.
 */
class DamagedListTest {
  private static final String LIST =
      "demo.FirstTest\tadds\ndemo.FirstTest\tadds\tanew\ndemo.Größe\tgrößer\toften\n"
          + "demo.LastTest\tgoes\tcollect\ndemo.OldTest\tkept\tanew\tkept\n"
          + "demo.OldTest\tkept\n";

  @Test
  void lists_of_tests_are_read_or_refused() {
    Mutator.run(
        "lists of tests",
        4,
        List.of(LIST.getBytes(StandardCharsets.UTF_8)),
        1 << 17,
        256,
        ListedTest::read,
        IOException.class);
  }

  @Test
  void a_line_is_a_class_a_method_and_perhaps_how_it_runs() throws IOException {
    List<ListedTest> tests = ListedTest.read(LIST.getBytes(StandardCharsets.UTF_8));
    assertEquals(6, tests.size());
    assertEquals("demo.Größe", tests.get(2).type);
    assertEquals("größer", tests.get(2).method);
    assertEquals(
        List.of(
            ListedTest.How.ONCE,
            ListedTest.How.ANEW,
            ListedTest.How.OFTEN,
            ListedTest.How.COLLECT,
            ListedTest.How.ANEW,
            ListedTest.How.ONCE),
        tests.stream().map(test -> test.how).toList());
    assertEquals(
        List.of(false, false, false, false, true, false),
        tests.stream().map(test -> test.isKept).toList());
    for (String line :
        List.of("demo.ATest", "\tadds", "demo.ATest\t", "demo.ATest\ta\ttwice", "")) {
      byte[] list = (line + "\n").getBytes(StandardCharsets.UTF_8);
      assertThrows(IOException.class, () -> ListedTest.read(list), line);
    }
    byte[] noText = {'a', '\t', (byte) 0xff};
    assertThrows(IOException.class, () -> ListedTest.read(noText));
  }
}
