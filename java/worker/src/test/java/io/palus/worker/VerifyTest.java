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

  private List<String> run(String... tests) throws Exception {
    Path classes = Sources.compile(folder, 8, "demo/DemoPalusTest.java", TESTS);
    List<String> lines = new ArrayList<>();
    for (String test : tests) {
      lines.add(test.contains("\t") ? test : "demo.DemoPalusTest\t" + test);
    }
    Path list = Files.write(folder.resolve("list ü"), lines);
    String jar = System.getProperty("palus.workerJar", System.getProperty("java.class.path"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes + File.pathSeparator + jar,
                "io.palus.worker.verify.VerifyMain",
                list.toString(),
                "--limit",
                "1500")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
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
