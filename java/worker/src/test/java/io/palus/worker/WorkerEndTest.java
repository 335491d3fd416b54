package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a worker ends, and what it leaves for the engine to go on with. */
class WorkerEndTest {
  @TempDir Path folder;
  private Path classes;

  @BeforeEach
  void compile() {
    classes = Sources.compile(folder, 17, "fatal/Fatal.java", Fatal.SOURCE);
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
  void a_timer_that_the_sequence_ends_before_it_fires_is_no_thread() throws Exception {
    try (WorkerProcess worker = start()) {
      assertEquals(
          List.of("completed", "completed", "completed"),
          ends(worker.runAll(List.of(call("limit"), call("fine"), call("limit")))));
    }
  }

  @Test
  void a_timer_that_would_fire_after_the_test_is_denied() throws Exception {
    String armed = "denied to leave the task of a timer";
    String idle = "denied to leave the thread of a timer";
    try (WorkerProcess worker = start()) {
      worker.begin("fatal.Shared");
      assertEquals(
          List.of(armed, "completed", idle, armed, "completed"),
          ends(
              worker.runAll(
                  List.of(call("timer"), call("fine"), call("idle"), call("lies"), call("fine")))));
    }
  }

  @Test
  void work_for_a_thread_that_lives_already_started_a_thread() throws Exception {
    String kinds = "schedule submit delay stage complete own service";
    for (String name : kinds.split(" ")) {
      try (WorkerProcess worker = start()) {
        worker.begin("fatal.Pool");
        assertEquals(List.of("started thread"), ends(worker.runAll(List.of(pool(name)))));
      }
    }
  }

  @Test
  void a_task_that_the_common_pool_has_not_begun_is_denied_and_ends_the_worker() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.begin("fatal.Pool");
      assertEquals(
          List.of("completed", "completed", "denied to leave a task of the common pool"),
          ends(worker.runAll(List.of(pool("direct"), pool("split"), pool("queue")))));
      worker.send(List.of(pool("direct")));
      assertEquals(ExitCode.NORMAL, worker.exitCode());
    }
  }

  @Test
  void a_thread_that_no_guard_saw_is_counted_all_the_same() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.begin("fatal.Pool");
      assertEquals(
          List.of("started thread", "completed", "started thread"),
          ends(worker.runAll(List.of(pool("unguarded"), pool("direct"), pool("unguarded")))));
    }
  }

  @Test
  void work_that_a_queue_brings_to_a_thread_of_an_initialiser_started_a_thread() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.begin("fatal.Audit");
      List<Consumer<SequenceBuilder>> calls = new ArrayList<>();
      for (String name : List.of("size", "logNothing", "size", "log")) {
        calls.add(s -> s.callStatic("fatal/Audit", name, "()V"));
      }
      String thread = "started thread";
      assertEquals(List.of("completed", thread, "completed", thread), ends(worker.runAll(calls)));
    }
  }

  @Test
  void what_is_denied_to_a_thread_of_an_initialiser_is_denied_to_its_class() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.begin("fatal.Cache");
      assertEquals(
          List.of("unusable its initialiser was denied File.delete on a file that it did not make"),
          ends(worker.runAll(List.of(s -> s.callStatic("fatal/Cache", "use", "()I")))));
    }
  }

  private static Consumer<SequenceBuilder> pool(String name) {
    String descriptor = List.of("direct", "split").contains(name) ? "()I" : "()V";
    return s -> s.callStatic("fatal/Pool", name, descriptor);
  }

  private static List<String> ends(List<Outcome> outcomes) {
    return outcomes.stream().map(Outcome::end).toList();
  }

  @Test
  void a_timer_that_may_fire_started_a_thread_and_the_batch_goes_on() throws Exception {
    try (WorkerProcess worker = start()) {
      List<Outcome> outcomes =
          worker.runAll(List.of(call("shortTimer"), call("fine"), call("reflected"), call("fine")));
      String thread = "started thread";
      assertEquals(List.of(thread, "completed", thread, "completed"), ends(outcomes));
    }
  }

  @Test
  void a_timer_of_a_class_initialiser_outlives_the_sequences_that_use_it() throws Exception {
    try (WorkerProcess worker = start()) {
      worker.begin("fatal.Shared");
      List<Consumer<SequenceBuilder>> calls = new ArrayList<>();
      for (String name : List.of("takenBack", "later", "both", "soon", "takenBack")) {
        calls.add(s -> s.callStatic("fatal/Shared", name, "()V"));
      }
      String left = "denied to leave the task of a timer";
      assertEquals(
          List.of("completed", left, left, "started thread", "completed"),
          ends(worker.runAll(calls)));
    }
  }

  @Test
  void a_class_whose_initialiser_leaves_something_is_denied_to_all() throws Exception {
    String end = " by a class initialiser";
    String running = "denied to leave a thread or timer" + end;
    String locale = "denied to leave a change of the default locale" + end;
    try (WorkerProcess worker = start()) {
      worker.begin("fatal.Abroad", "fatal.Armed", "fatal.User");
      Consumer<SequenceBuilder> armed = s -> s.callStatic("fatal/Armed", "use", "()I");
      Consumer<SequenceBuilder> abroad = s -> s.callStatic("fatal/Abroad", "use", "()I");
      assertEquals(
          List.of(running, "completed", locale, running),
          ends(worker.runAll(List.of(armed, user("none"), abroad, armed))));
    }
    try (WorkerProcess worker = start()) {
      // Nothing ends the thread of a pool: the engine is told by the end of the worker.
      assertThrows(IOException.class, () -> worker.begin("fatal.User", "fatal.Scheduled"));
      assertEquals(ExitCode.NORMAL, worker.exitCode());
      assertArrayEquals(new int[] {-1, 1}, worker.progress());
    }
  }

  @Test
  void what_a_class_initialiser_leaves_in_a_sequence_is_its_own_and_ends_the_worker()
      throws Exception {
    Map<String, String> ends = new LinkedHashMap<>();
    ends.put("armed", "denied to leave the task of a timer");
    ends.put("scheduled", "started thread");
    ends.put("abroad", "denied to leave a change of the default locale");
    for (Map.Entry<String, String> end : ends.entrySet()) {
      try (WorkerProcess worker = start()) {
        worker.begin("fatal.User");
        assertEquals(
            List.of("completed", end.getValue()),
            ends(worker.runAll(List.of(user("none"), user(end.getKey()), user(end.getKey())))));
        // It would not happen again in this JVM, and does in any other.
        worker.send(List.of(user("none")));
        assertEquals(ExitCode.NORMAL, worker.exitCode());
      }
    }
  }

  private static Consumer<SequenceBuilder> user(String name) {
    return s -> s.callStatic("fatal/User", name, "()I");
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
      ours.add(GoldenTest.rustName(code) + " " + code.number());
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
