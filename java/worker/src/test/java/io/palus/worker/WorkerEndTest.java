package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a worker ends, and what it leaves for the engine to go on with. */
class WorkerEndTest {
  private static final String FATAL =
      """
      package fatal;
      public class Fatal {
        /** Outlives a sequence: static fields are put back, this kind of thread-local does not let go. */
        static final ThreadLocal<java.util.List<Object>> ALL = new ThreadLocal<>() {
          @Override protected java.util.List<Object> initialValue() { return new java.util.ArrayList<>(); }
          @Override public void remove() { }
        };
        static void block() throws Exception { new java.util.concurrent.Phaser(2).awaitAdvance(0); }
        static void fill() { for (;;) { ALL.get().add(new long[1 << 20]); } }
        static void ask() { ALL.get().add(new long[Integer.MAX_VALUE - 8]); }
        static void hoard() { java.util.List<Object> own = new java.util.ArrayList<>(); for (;;) { own.add(new long[1 << 20]); } }
        static void much() { for (int i = 0; i < 5; i++) { byte[] piece = new byte[1 << 20]; } }
        static void tooMuch() { for (int i = 0; i < 40; i++) { byte[] piece = new byte[1 << 20]; } }
        static int fine() { return 1; }
        static void timer() {
          new java.util.Timer().schedule(
              new java.util.TimerTask() { @Override public void run() { } }, 100000);
        }
        static void shortTimer() {
          new java.util.Timer(true).schedule(
              new java.util.TimerTask() { @Override public void run() { } }, 200);
        }
        static int limit() {
          Own own = new Own();
          java.util.Timer timer = new java.util.Timer();
          timer.schedule(
              new java.util.TimerTask() { @Override public void run() { } }, 100000);
          timer.cancel();
          new java.util.Timer(true).scheduleAtFixedRate(
              new java.util.TimerTask() { @Override public void run() { } }, 100000, 1000);
          return own.toString().length();
        }
        static class Own extends java.util.Timer { @Override public String toString() { return "own"; } }
        static void ownTimer() {
          new Own().schedule(
              new java.util.TimerTask() { @Override public void run() { } }, 100000);
        }
        static void reflected() throws Exception {
          java.util.TimerTask task = new java.util.TimerTask() { @Override public void run() { } };
          java.util.Timer.class.getMethod("schedule", java.util.TimerTask.class, long.class)
              .invoke(new java.util.Timer(true), task, 1L);
        }
        static void schedule() {
          java.util.concurrent.Executors.newScheduledThreadPool(1)
              .schedule(() -> { }, 100, java.util.concurrent.TimeUnit.SECONDS);
        }
        static void startAndWait() throws Exception {
          Object monitor = new Object();
          new Thread(() -> { }).start();
          synchronized (monitor) { monitor.wait(3600000); }
        }
      }
      class Shared {
        static final java.util.Timer TIMER = new java.util.Timer(true);
        static { TIMER.schedule(task(), 200000); }
        static java.util.TimerTask task() {
          return new java.util.TimerTask() { @Override public void run() { } };
        }
        static void later() { TIMER.schedule(task(), 100000); }
        static void soon() { TIMER.schedule(task(), 100); }
        static void both() { new java.util.Timer(true).schedule(task(), 100000); later(); }
      }
      class Endless {
        static { for (int i = 0; i >= 0; i = i + 1 & 0xff) { } }
      }
      """;

  @TempDir Path folder;
  private Path classes;

  @BeforeEach
  void compile() {
    classes = Sources.compile(folder, 17, "fatal/Fatal.java", FATAL);
  }

  private static Consumer<SequenceBuilder> call(String name) {
    String descriptor = List.of("fine", "limit").contains(name) ? "()I" : "()V";
    return s -> s.callStatic("fatal/Fatal", name, descriptor);
  }

  private WorkerProcess start(String... jvmArguments) throws IOException {
    return WorkerProcess.on(folder, classes, jvmArguments);
  }

  @Test
  void a_sequence_that_blocks_is_named_by_the_progress_file() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.runAll(List.of(call("fine")));
      worker.send(List.of(call("fine"), call("fine"), call("block"), call("fine")));
      assertThrows(IOException.class, worker::outcomes);
      assertEquals(ExitCode.TIME_USED_UP, worker.exitCode());
      assertArrayEquals(new int[] {2, 2}, worker.progress());
    }
  }

  @Test
  void a_class_initialiser_that_hangs_is_named_by_the_progress_file() throws Exception {
    try (WorkerProcess worker = start()) {
      assertThrows(IOException.class, () -> worker.begin("fatal.Fatal", "fatal.Endless"));
      assertEquals(ExitCode.TIME_USED_UP, worker.exitCode());
      assertArrayEquals(new int[] {-1, 1}, worker.progress());
    }
  }

  @Test
  void a_full_heap_ends_the_worker_after_it_told_what_was_done() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.send(List.of(call("fine"), call("fill"), call("fine")));
      assertEquals(1, worker.outcomes().size());
      assertEquals(ExitCode.OUT_OF_MEMORY, worker.exitCode());
      assertArrayEquals(new int[] {1, 1}, worker.progress());
    }
  }

  @Test
  void a_heap_that_empties_with_the_sequence_costs_that_sequence_alone() throws Exception {
    try (WorkerProcess worker = start()) {
      List<Outcome> outcomes =
          worker.runAll(List.of(call("fine"), call("ask"), call("hoard"), call("fine")));
      assertEquals(4, outcomes.size());
      assertEquals("out of memory", outcomes.get(1).end());
      assertEquals("out of memory", outcomes.get(2).end());
      assertEquals("completed", outcomes.get(3).end());
    }
  }

  @Test
  void a_sequence_that_allocates_too_much_is_given_up_though_none_of_it_stays() throws Exception {
    try (WorkerProcess worker = start("-Xmx512m")) {
      List<Outcome> outcomes = worker.runAll(List.of(call("much"), call("tooMuch"), call("fine")));
      assertEquals("completed", outcomes.get(0).end());
      assertEquals("out of memory", outcomes.get(1).end());
      assertEquals("completed", outcomes.get(2).end());
    }
  }

  @Test
  void a_thread_that_will_not_end_ends_the_batch_and_then_the_worker() throws Exception {
    try (WorkerProcess worker = start()) {
      List<Outcome> outcomes = worker.runAll(List.of(call("fine"), call("schedule"), call("fine")));
      assertEquals(2, outcomes.size());
      assertEquals("started thread", outcomes.get(1).end());
      worker.send(List.of(call("fine")));
      assertEquals(ExitCode.NORMAL, worker.exitCode());
    }
  }

  @Test
  void a_timer_that_never_fires_is_no_thread() throws Exception {
    try (WorkerProcess worker = start()) {
      List<Outcome> outcomes =
          worker.runAll(List.of(call("timer"), call("limit"), call("timer"), call("fine")));
      assertEquals(4, outcomes.size());
      for (Outcome outcome : outcomes) {
        assertEquals("completed", outcome.end());
      }
    }
  }

  @Test
  void a_timer_that_may_fire_started_a_thread_and_the_batch_goes_on() throws Exception {
    try (WorkerProcess worker = start()) {
      List<Outcome> outcomes =
          worker.runAll(List.of(call("shortTimer"), call("fine"), call("reflected"), call("fine")));
      assertEquals(4, outcomes.size());
      assertEquals("started thread", outcomes.get(0).end());
      assertEquals("completed", outcomes.get(1).end());
      assertEquals("started thread", outcomes.get(2).end());
      assertEquals("completed", outcomes.get(3).end());
    }
  }

  @Test
  void a_timer_of_a_class_initialiser_outlives_the_sequences_that_use_it() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.begin("fatal.Shared");
      List<Consumer<SequenceBuilder>> calls = new ArrayList<>();
      for (String name : List.of("later", "both", "later", "soon", "later")) {
        calls.add(s -> s.callStatic("fatal/Shared", name, "()V"));
      }
      List<String> ends = new ArrayList<>();
      for (Outcome outcome : worker.runAll(calls)) {
        ends.add(outcome.end());
      }
      String fine = "completed";
      assertEquals(List.of(fine, fine, fine, "started thread", fine), ends);
    }
  }

  @Test
  void a_timer_of_the_subjects_own_kind_is_stopped_as_long_as_java_can_stop_threads()
      throws Exception {
    boolean canStop = Runtime.version().feature() < 20;
    try (WorkerProcess worker = start()) {
      List<Outcome> outcomes = worker.runAll(List.of(call("ownTimer"), call("fine")));
      assertEquals("started thread", outcomes.get(0).end());
      assertEquals(canStop ? 2 : 1, outcomes.size());
    }
  }

  @Test
  void who_waits_for_threads_of_its_own_is_not_waited_for() throws Exception {
    try (WorkerProcess worker = start()) {
      List<Outcome> outcomes = worker.runAll(List.of(call("startAndWait"), call("fine")));
      assertEquals("started thread", outcomes.get(0).end());
      assertEquals("completed", outcomes.get(1).end());
    }
  }

  @Test
  void between_batches_no_sequence_is_to_blame() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.run(call("fine"));
      assertArrayEquals(new int[] {1, -1}, worker.progress());
    }
  }

  @Test
  void the_end_of_input_is_the_end_of_the_worker() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.endInput();
      assertEquals(ExitCode.INPUT_ENDED, worker.exitCode());
    }
  }

  @Test
  void asked_to_exit_it_exits() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.sendRaw(6);
      assertEquals(ExitCode.NORMAL, worker.exitCode());
    }
  }

  @Test
  void damaged_requests_end_it() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.sendRaw(4, 1, 1, 77);
      assertEquals(ExitCode.WIRE_DAMAGED, worker.exitCode());
    }
    try (WorkerProcess worker = new WorkerProcess(folder)) {
      worker.sendRaw(0, 'P', 'A', 'L', 'W', 9, 0);
      assertEquals(ExitCode.WIRE_DAMAGED, worker.exitCode());
    }
    try (WorkerProcess worker = new WorkerProcess(folder)) {
      worker.sendRaw(3, 0);
      assertEquals(ExitCode.WIRE_DAMAGED, worker.exitCode());
    }
  }

  @Test
  void class_loaders_do_not_pile_up() throws IOException {
    try (WorkerProcess worker = start("-XX:MaxMetaspaceSize=24m")) {
      for (int i = 0; i < 1500; i++) {
        worker.begin("fatal.Fatal");
        assertEquals("completed", worker.run(call("fine")).end());
        worker.run(s -> s.stub("java/lang/Runnable", "run()V", -1));
      }
    }
  }

  @Test
  void exit_codes_are_those_of_rust() throws IOException {
    List<String> ours = new ArrayList<>();
    for (ExitCode code : ExitCode.values()) {
      StringBuilder name = new StringBuilder();
      for (String word : code.name().split("_")) {
        name.append(word.charAt(0)).append(word.substring(1).toLowerCase(java.util.Locale.ROOT));
      }
      ours.add(name + " " + code.number());
    }
    assertEquals(Files.readAllLines(Goldens.file("exit-codes.txt")), ours);
  }

  @Test
  void the_same_batch_gives_the_same_answer_in_another_worker() throws IOException {
    List<Consumer<SequenceBuilder>> batch = Arrays.asList(call("fine"), call("none"), call("fine"));
    try (WorkerProcess one = start();
        WorkerProcess two = start("-Xint")) {
      assertEquals(one.runAll(batch), two.runAll(batch));
    }
  }
}
