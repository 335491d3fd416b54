package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Running written tests in a fresh JVM. */
class VerifyTest {
  private static final String TESTS =
      """
      package demo;
      class DemoPalusTest {
        static int count;
        int own;
        void passes() { own++; count++; if (own != 1) throw new AssertionError(); }
        public void passesToo() { own++; if (own != 1) throw new AssertionError(); }
        void needsOneBefore() { if (count != 1) throw new AssertionError("count " + count); }
        static final int LOADED = Integer.getInteger("loaded", 0);
        void passesWhereLoadedThrice() {
          System.setProperty("loaded", "" + (LOADED + 1));
          System.clearProperty("java.class.path");
          if (LOADED == 3) throw new AssertionError("no more");
        }
        static int state;
        void breaks() { state = 1; }
        void isBroken() { if (state == 1) throw new AssertionError("broken"); }
        void breaksAll() { System.setProperty("broken", "1"); }
        void isBrokenToo() { if (System.getProperty("broken") != null || state == 1) throw new AssertionError(); }
        void fails() { throw new AssertionError("a\\\\b\\nc\\u0001é"); }
        void prints() { System.out.println("pass 99"); System.err.println("noise"); }
        void hangs() throws Exception { Thread.sleep(100000); }
        void exits() { System.exit(7); }
        void keeps() { new Thread(() -> { while (true) { } }).start(); }
        void hook() {
          Runtime.getRuntime().addShutdownHook(new Thread(() -> System.setProperty("x", "y")));
        }
      }
      class UnfitPalusTest { static { if (true) throw new RuntimeException("unfit"); } void test() { } }
      """;

  @TempDir Path folder;
  private int exitCode;
  private List<String> options = List.of();

  private List<String> run(String... tests) throws Exception {
    Path classes = Sources.compile(folder, 8, "demo/DemoPalusTest.java", TESTS);
    List<String> lines = new ArrayList<>();
    for (String test : tests) {
      lines.add(test.contains("\t") ? test : "demo.DemoPalusTest\t" + test);
    }
    Path list = Files.write(folder.resolve("list ü"), lines);
    String jar = System.getProperty("palus.workerJar", System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", classes + File.pathSeparator + jar));
    command.addAll(List.of("io.palus.worker.verify.VerifyMain", list.toString()));
    command.addAll(List.of("--limit", "1500"));
    command.addAll(options);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    exitCode = process.waitFor();
    return output;
  }

  @Test
  void tests_run_in_the_order_of_the_list_each_on_its_own_instance() throws Exception {
    assertEquals(
        List.of("start 0", "pass 0", "start 1", "pass 1", "start 2", "pass 2", "done"),
        run("passes", "passesToo", "needsOneBefore"));
    assertEquals(ExitCode.NORMAL.number(), exitCode);
    assertEquals("fail 0 java.lang.AssertionError: count 0", run("needsOneBefore").get(1));
  }

  @Test
  void a_failure_is_told_on_one_line() throws Exception {
    assertEquals(
        List.of("start 0", "fail 0 java.lang.AssertionError: a\\\\b\\nc\\u0001é", "done"),
        run("fails"));
  }

  @Test
  void a_test_that_runs_often_runs_again_after_all_with_classes_loaded_anew() throws Exception {
    String test = "demo.DemoPalusTest\tpassesWhereLoadedThrice";
    List<String> output = run(test, test + "\toften", "passes");
    assertEquals(
        List.of("start 0", "pass 0", "start 1", "pass 1", "start 2", "pass 2"),
        output.subList(0, 6));
    assertEquals(List.of("start 1", "pass 1", "start 1", "pass 1"), output.subList(6, 10));
    assertEquals(
        List.of("start 1", "fail 1 java.lang.AssertionError: no more", "done"),
        output.subList(10, output.size()));
  }

  @Test
  void classes_are_loaded_anew_before_a_test_that_wants_it() throws Exception {
    String broken = "demo.DemoPalusTest\tisBroken";
    List<String> output = run("breaks", "isBroken", broken + "\tanew", "breaks", "isBroken");
    output = output.stream().filter(line -> !line.startsWith("start")).toList();
    String failure = " java.lang.AssertionError: broken";
    assertEquals(
        List.of("pass 0", "fail 1" + failure, "pass 2", "pass 3", "fail 4" + failure, "done"),
        output);
  }

  @Test
  void a_search_tells_after_which_tests_the_first_one_fails() throws Exception {
    List<String> tests = List.of("isBrokenToo", "passes", "breaks", "fails", "breaks", "breaks");
    assertEquals(List.of("breaks 2", "breaks 4"), breaking(tests));
    // What outlives the classes ends it.
    assertEquals(
        List.of("breaks 1", "breaks 2"),
        breaking(List.of("isBrokenToo", "breaks", "breaksAll", "breaks")));
    assertEquals(List.of(), breaking(List.of("fails", "breaks")));
  }

  private List<String> breaking(List<String> tests) throws Exception {
    options = List.of("--search", "2");
    List<String> output = run(tests.toArray(new String[0]));
    assertEquals("done", output.get(output.size() - 1));
    return output.stream().filter(line -> line.startsWith("breaks")).toList();
  }

  @Test
  void what_tests_print_is_not_heard() throws Exception {
    assertEquals(List.of("start 0", "pass 0", "done"), run("prints"));
  }

  @Test
  void a_slow_test_ends_the_run() throws Exception {
    assertEquals(
        List.of("start 0", "pass 0", "start 1", "slow 1"), run("passes", "hangs", "passesToo"));
    assertEquals(ExitCode.TIME_USED_UP.number(), exitCode);
  }

  @Test
  void a_test_that_ends_the_jvm_has_a_start_only() throws Exception {
    assertEquals(List.of("start 0"), run("exits", "passes"));
    assertEquals(7, exitCode);
  }

  @Test
  void threads_and_hooks_left_behind_do_not_keep_the_jvm() throws Exception {
    assertEquals(List.of("start 0", "pass 0", "start 1", "pass 1", "done"), run("keeps", "hook"));
    assertEquals(ExitCode.NORMAL.number(), exitCode);
  }

  @Test
  void a_class_that_cannot_be_used_fails_its_tests_alone() throws Exception {
    List<String> output = run("demo.UnfitPalusTest\ttest", "demo.NoSuch\ttest", "none", "passes");
    assertEquals("start 0", output.get(0));
    assertEquals(5, output.stream().filter(line -> !line.startsWith("start")).count());
    assertEquals("fail 1 java.lang.ClassNotFoundException: demo.NoSuch", output.get(3));
    assertEquals("pass 3", output.get(7));
  }
}
