package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The one line that is rewritten, and the lines elsewhere. */
class TerminalConsoleTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private final TerminalConsole console =
      new TerminalConsole(stream) {
        @Override
        protected void print(int level, String text) {
          stream.print(text + "\n");
        }
      };

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void progress_rewrites_one_line_and_a_line_takes_its_place() {
    console.line(Console.INFO, "first");
    console.progress(0, 0, "model     reading traces, 0:01");
    console.progress(0, 0, "model     reading traces, 0:02");
    console.line(Console.INFO, "second");
    console.line(Console.INFO, "third");
    assertEquals(
        "first\n"
            + "\r\u001b[Kmodel     reading traces, 0:01"
            + "\r\u001b[Kmodel     reading traces, 0:02"
            + "\r\u001b[Ksecond\nthird\n",
        written());
  }

  @Test
  void a_counted_stage_has_a_bar_and_no_line_wraps() {
    assertEquals(
        "generate  [============>            ] 2/4 classes, ETA 0:41",
        TerminalConsole.bar(2, 4, "generate  2/4 classes, ETA 0:41"));
    assertEquals(
        "generate  [=========================] 4/4 classes",
        TerminalConsole.bar(4, 4, "generate  4/4 classes"));
    assertEquals(79, TerminalConsole.bar(1, 4, "generate  " + "x".repeat(200)).length());
  }

  @Test
  void without_a_terminal_a_line_comes_at_once_and_then_every_five_seconds() {
    List<String> lines = new ArrayList<>();
    PacedConsole paced =
        new PacedConsole() {
          @Override
          public void line(int level, String text) {
            lines.add(text);
          }
        };
    for (int i = 0; i < 10; i++) {
      paced.progress(i, 10, "generate  " + i + "/10 classes");
    }
    assertEquals(List.of("generate  0/10 classes"), lines);
  }

  @Test
  void a_test_runs_without_a_terminal() {
    assertFalse(TerminalConsole.isTerminal());
  }
}
