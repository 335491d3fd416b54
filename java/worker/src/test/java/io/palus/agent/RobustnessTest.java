package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Threads, killed JVMs, full disks. */
class RobustnessTest {
  @TempDir Path folder;
  private TracedProgram program;

  @BeforeEach
  void makeProgram() throws Exception {
    program = new TracedProgram(folder);
    program.jvmArguments.addAll(List.of("-cp", program.classes.toString()));
  }

  @Test
  void an_object_that_changes_threads_leaves_a_mark_and_no_other_does() throws Exception {
    program.compile(
        8,
        """
        class Main {
          static void go(Item shared, Item own) throws Exception {
            Thread t = new Thread(() -> { shared.use(); new Item().use(); });
            t.start();
            t.join();
            own.use();
            shared.use();
          }
          public static void main(String[] a) throws Exception { go(new Item(), new Item()); }
        }
        class Item { void use() {} }
        """);
    TraceText trace = program.run("Main").trace();
    assertEquals(
        List.of(
            "after thread 0",
            "Item@2[].Item.use()",
            "-> void",
            "Item.<init>()",
            "-> Item@257[]",
            "Item@257[].Item.use()",
            "-> void"),
        trace.threads.get(1));
    List<String> main = trace.threads.get(0);
    int mark = main.indexOf("after thread 1");
    assertTrue(mark > main.indexOf("Item@3[].Item.use()"), "" + main);
    assertEquals("Item@2[].Item.use()", main.get(mark + 1));
    assertEquals(1, main.stream().filter(each -> each.startsWith("after")).count());
  }

  @Test
  void many_short_threads_share_a_few_lanes() throws Exception {
    program.compile(
        8,
        """
        class Main {
          static void use(int n) {}
          public static void main(String[] a) throws Exception {
            for (int i = 0; i < 300; i++) {
              int n = i;
              Thread t = new Thread(() -> use(n));
              t.start();
              t.join();
            }
          }
        }
        """);
    TraceText trace = program.run("Main").trace();
    assertEquals(2, trace.threads.size());
    assertEquals(600, trace.threads.get(1).size());
  }

  @Test
  void a_killed_jvm_leaves_the_calls_that_had_ended() throws Exception {
    program.compile(
        8,
        """
        class Main {
          static void use(int n) {}
          public static void main(String[] a) {
            Thread t = new Thread(() -> {
              for (int i = 0; i < 5000; i++) use(i);
              Runtime.getRuntime().halt(137);
            });
            t.start();
          }
        }
        """);
    TracedProgram.Run run = program.run("Main");
    assertEquals(137, run.exit());
    assertFalse(run.trace().isClosed());
    // Once main has ended, the other thread may go on in its chunk.
    List<String> calls =
        run.trace().threads.values().stream()
            .flatMap(List::stream)
            .filter(line -> line.startsWith("Main.use("))
            .collect(Collectors.toList());
    assertEquals(5000, calls.size());
    assertEquals("Main.use(4999)", calls.get(4999));
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no limit on the size of files")
  void a_full_disk_ends_the_trace_and_not_the_program() throws Exception {
    program.compile(
        8,
        """
        class Main {
          static void use(String text) {}
          public static void main(String[] a) {
            for (int i = 0; i < 9000; i++) use("some text that is never the same " + i);
            System.out.print("done");
          }
        }
        """);
    program.wrapper = List.of("/bin/sh", "-c", "ulimit -f 600; exec \"$@\"", "sh");
    TracedProgram.Run run = program.run("Main");
    assertEquals("done", run.output());
    assertEquals(0, run.exit());
    assertEquals(TraceFormat.FLAG_STOPPED, run.trace().flags);
    assertTrue(run.log().get(0).startsWith("the trace stops here"), "" + run.log());
    List<String> lines = run.lines();
    assertTrue(lines.size() > 1000, "" + lines.size());
  }

  @Test
  void threads_that_race_for_the_same_objects_give_a_readable_trace() throws Exception {
    program.compile(
        8,
        """
        class Main {
          public static void main(String[] a) throws Exception {
            Item[] items = new Item[50];
            for (int i = 0; i < items.length; i++) items[i] = new Item();
            Thread[] threads = new Thread[8];
            for (int i = 0; i < threads.length; i++) {
              int seed = i;
              threads[i] = new Thread(() -> {
                java.util.Random random = new java.util.Random(seed);
                for (int n = 0; n < 2000; n++)
                  items[random.nextInt(50)].meet(items[random.nextInt(50)]);
              });
              threads[i].start();
            }
            for (Thread thread : threads) thread.join();
          }
        }
        class Item { Item last; void meet(Item other) { last = other; } }
        """);
    TracedProgram.Run run = program.run("Main");
    assertEquals(List.of(), run.log());
    long meetings = run.lines().stream().filter(each -> each.contains("Item.meet(")).count();
    assertEquals(16_000, meetings);
  }

  @Test
  void an_agent_that_fails_stops_tracing_and_not_the_program() throws Exception {
    program.libraries.add(TracedProgram.agentJar());
    program.compile(
        8,
        """
        class Main {
          static int use(int n) { return n; }
          public static void main(String[] a) {
            System.out.print(use(1));
            // No such method: as a fault of the agent's own.
            for (int i = 0; i < 3; i++) io.palus.agent.CallRecorder.enter(null, 1 << 30);
            for (int i = 0; i < 100; i++) use(2);
            System.out.print("done");
          }
        }
        """);
    TracedProgram.Run run = program.run("Main");
    assertEquals("1done", run.output());
    assertEquals(0, run.exit());
    assertEquals(TraceFormat.FLAG_STOPPED, run.trace().flags);
    assertEquals(1, run.log().size(), "" + run.log());
    assertTrue(run.log().get(0).startsWith("the trace stops here: "), "" + run.log());
    assertTrue(run.lines().contains("Main.use(1)"), "" + run.lines());
    assertFalse(run.lines().contains("Main.use(2)"), "" + run.lines());
  }

  @Test
  void an_interrupted_thread_stays_interrupted_and_is_traced() throws Exception {
    program.compile(
        8,
        """
        class Main {
          static void use(int n) {}
          public static void main(String[] a) {
            Thread.currentThread().interrupt();
            for (int i = 0; i < 200_000; i++) use(i);
            System.out.print(Thread.interrupted());
          }
        }
        """);
    program.options.add("cap=0");
    TracedProgram.Run run = program.run("Main");
    assertEquals("true", run.output());
    assertEquals(List.of(), run.log());
    assertTrue(run.trace().isClosed());
    assertTrue(run.lines().contains("Main.use(199999)"));
  }

  @Test
  void an_object_of_a_class_that_is_being_initialised_is_recorded_without_waiting()
      throws Exception {
    program.compile(
        8,
        """
        class Main {
          static int take(Early early) { return early.n; }
          public static void main(String[] a) { System.out.print(Early.seen); }
        }
        class Early {
          static int seen;
          int n = 7;
          static {
            Early first = new Early();
            int[] result = {0};
            Thread other = new Thread(new Taker(first, result));
            other.start();
            try { other.join(); } catch (InterruptedException e) { throw new Error(e); }
            seen = result[0];
          }
        }
        class Taker implements Runnable {
          final Early early;
          final int[] result;
          Taker(Early early, int[] result) { this.early = early; this.result = result; }
          public void run() { result[0] = Main.take(early); }
        }
        """);
    TracedProgram.Run run = program.run("Main");
    assertEquals("7", run.output());
    assertEquals(List.of(), run.log());
    assertTrue(
        run.lines().stream().anyMatch(each -> each.matches("Main.take\\(Early@\\d+\\[4\\]\\)")),
        "" + run.lines());
  }

  @Test
  void a_program_that_uses_up_its_memory_gets_its_error_and_is_traced_further() throws Exception {
    program.compile(
        8,
        """
        class Main {
          static void use(int n, java.util.List<byte[]> all) { all.add(new byte[n]); }
          static void end(String text) {}
          public static void main(String[] a) {
            for (int i = 0; i < 3; i++) {
              java.util.List<byte[]> all = new java.util.ArrayList<>();
              try {
                for (int n = 1 << 20;;) use(n, all);
              } catch (OutOfMemoryError e) {
                all.clear();
                System.out.print("full ");
              }
            }
            end("over");
          }
        }
        """);
    program.jvmArguments.add(0, "-Xmx32m");
    TracedProgram.Run run = program.run("Main");
    assertEquals("full full full ", run.output());
    assertEquals(List.of(), run.log());
    assertTrue(run.lines().contains("Main.end(\"over\")"), "" + run.lines());
  }
}
