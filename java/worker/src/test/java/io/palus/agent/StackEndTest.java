package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stacks that end while calls are recorded. */
class StackEndTest {
  @TempDir Path folder;
  private TracedProgram program;

  @BeforeEach
  void makeProgram() throws Exception {
    program = new TracedProgram(folder);
    program.jvmArguments.addAll(List.of("-cp", program.classes.toString()));
  }

  @Test
  void a_recursion_to_the_stacks_end_is_recorded_and_every_call_ends() throws Exception {
    program.compile(
        8,
        """
        class Main {
          int depth;
          void down(Main m) { depth++; down(m); }
          void after() {}
          public static void main(String[] a) {
            Main main = new Main();
            for (int i = 0; i < 3; i++) {
              try { main.down(main); } catch (StackOverflowError e) { }
            }
            main.after();
          }
        }
        """);
    program.options.add("cap=0");
    TracedProgram.Run run = program.run("Main");
    assertEquals("", run.output());
    List<String> lines = run.lines();
    long entered = lines.stream().filter(each -> each.contains("(")).count();
    long left = lines.stream().filter(each -> each.matches("(->|throws) .*")).count();
    assertTrue(entered > 1000, "" + entered);
    assertEquals(entered, left);
    assertTrue(lines.get(lines.size() - 3).endsWith(".Main.after()"), lines.get(lines.size() - 3));
    int depth = 0;
    for (String line : lines) {
      depth += line.contains("(") ? 1 : line.matches("(->|throws) .*") ? -1 : 0;
      if (line.endsWith(".Main.after()")) {
        assertEquals(2, depth);
      }
    }
  }

  @Test
  void a_stack_that_ends_while_a_call_is_written_damages_nothing() throws Exception {
    Path foreign = Files.createDirectories(folder.resolve("foreign"));
    program.libraries.add(foreign);
    program.compileInto(
        foreign,
        8,
        """
        public class Dive {
          public static void pad(int n, Runnable leaf) { if (n > 0) pad(n - 1, leaf); else down(leaf); }
          static void down(Runnable leaf) { leaf.run(); down(leaf); }
        }
        """);
    program.compile(
        8,
        """
        class Main implements Runnable {
          public void run() { }
          static void last(int n) { }
          public static void main(String[] a) throws Exception {
            for (int i = 0; i < 400; i++) {
              int n = i;
              Runnable dive = () -> {
                try { Dive.pad(n % 17, new Main()); } catch (StackOverflowError e) { }
                last(n);
              };
              Thread small = new Thread(null, dive, "small", (1 << 18) + n % 5 * 4096L);
              small.start();
              small.join();
            }
          }
        }
        """);
    program.options.add("cap=0");
    program.jvmArguments.addAll(List.of("-cp", program.classPath()));
    TracedProgram.Run run = program.run("Main");
    assertEquals("", run.output());
    List<String> lines = run.lines();
    assertTrue(lines.stream().filter(each -> each.contains("Main.run()")).count() > 1000);
    assertTrue(lines.contains("Main.last(399)"));
  }
}
