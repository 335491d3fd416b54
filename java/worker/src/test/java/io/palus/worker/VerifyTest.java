package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        /** Counted by the names of threads that nobody starts, which is nobody's business. */
        static final int LOADED = Integer.parseInt(new Thread().getName().substring(7));
        void passesWhereLoadedThrice() {
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
        void keeps() { new Thread(() -> { while (true) { } }, "busy").start(); }
        void arms() {
          new java.util.Timer("alarm", true).schedule(
              new java.util.TimerTask() { @Override public void run() { System.exit(3); } }, 12000);
        }
        void disarms() {
          java.util.Timer timer = new java.util.Timer();
          timer.schedule(
              new java.util.TimerTask() { @Override public void run() { System.exit(3); } }, 12000);
          timer.cancel();
        }
        void delays() {
          java.util.concurrent.Executors.newScheduledThreadPool(1)
              .schedule(() -> System.exit(3), 12, java.util.concurrent.TimeUnit.SECONDS);
        }
        void occupies() {
          java.util.concurrent.ForkJoinPool.commonPool().execute(() -> { while (true) { } });
        }
        void splits() {
          java.util.stream.IntStream.range(0, 1000).parallel().sum();
        }
        void property() { System.setProperty("palus.left", "x"); }
        void path() { System.clearProperty("java.class.path"); }
        void locale() { java.util.Locale.setDefault(new java.util.Locale("xx")); }
        void zone() { java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone("Asia/Tokyo")); }
        void out() { System.setOut(null); }
        void uncaught() { Thread.setDefaultUncaughtExceptionHandler((thread, e) -> { }); }
        void handler() {
          java.util.logging.Logger.getLogger("").getHandlers()[0].setFilter(record -> false);
        }
        void level() {
          java.util.logging.Logger.getLogger("palus").setLevel(java.util.logging.Level.OFF);
        }
        void logs() { java.util.logging.Logger.getLogger("palus.other").fine("x"); }
        static class Own extends java.security.Provider { Own() { super("Own", 1.0, ""); } }
        void provider() { java.security.Security.addProvider(new Own()); }
        void cookies() { java.net.CookieHandler.setDefault(new java.net.CookieManager()); }
        void interrupts() { Thread.currentThread().interrupt(); }
        void loader() { Thread.currentThread().setContextClassLoader(null); }
        void clean() {
          if (System.getProperty("palus.left") != null || System.getProperty("java.class.path") == null
              || java.util.Locale.getDefault().getLanguage().equals("xx") || System.out == null
              || java.util.TimeZone.getDefault().getID().equals("Asia/Tokyo")
              || Thread.getDefaultUncaughtExceptionHandler() != null
              || java.util.logging.Logger.getLogger("palus").getLevel() != null
              || java.util.logging.Logger.getLogger("").getHandlers()[0].getFilter() != null
              || java.security.Security.getProvider("Own") != null
              || java.net.CookieHandler.getDefault() != null
              || Thread.currentThread().isInterrupted()
              || Thread.currentThread().getContextClassLoader() == null) {
            throw new AssertionError("not clean");
          }
        }
        static class Init {
          static final String NAME = String.valueOf("Own");
          static { java.security.Security.addProvider(new Own()); }
        }
        void initialises() { needs(Init.NAME); }
        void refuses() { new java.sql.SQLException("asks for drivers"); }
        void asksForBeans() { java.lang.management.ManagementFactory.getPlatformMBeanServer(); }
        static class Alarm {
          static final int ONE = Integer.parseInt("1");
          static { new java.util.Timer(true).schedule(
              new java.util.TimerTask() { @Override public void run() { System.exit(3); } }, 12000); }
        }
        void alarms() { if (Alarm.ONE != 1) throw new AssertionError(); }
        void alarmsToo() { alarms(); }
        static class Abroad {
          static final int ONE = Integer.parseInt("1");
          static { java.util.Locale.setDefault(new java.util.Locale("xx")); }
        }
        void abroad() { if (Abroad.ONE != 1) throw new AssertionError(); }
        void abroadToo() { abroad(); }
        void needs(String name) {
          if (java.security.Security.getProvider(name) == null) throw new AssertionError();
        }
        void needsOwn() { needs("Own"); }
        void pools() { Pool.size(); }
        static class Pool {
          static final java.util.concurrent.ThreadPoolExecutor POOL =
              new java.util.concurrent.ThreadPoolExecutor(
                  1, 1, 1, java.util.concurrent.TimeUnit.HOURS,
                  new java.util.concurrent.LinkedBlockingQueue<>());
          static { POOL.prestartAllCoreThreads(); }
          static int size() { return POOL.getPoolSize(); }
        }
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
    String failure = "fail 0 java.lang.AssertionError: a\\\\b\\nc\\u0001é";
    assertEquals(List.of("start 0", failure, "done"), run("fails"));
  }

  @Test
  void the_line_of_the_test_that_failed_is_told_where_that_is_asked_for() throws Exception {
    options = List.of("--lines");
    List<String> output = run("fails", "passes");
    assertEquals("start 0", output.get(0));
    assertTrue(output.get(1).matches("at 0 [1-9]\\d*"), output.get(1));
    assertTrue(output.get(2).startsWith("fail 0 "), output.get(2));
    assertEquals(List.of("start 1", "pass 1", "done"), output.subList(3, 6));
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
    // What outlives the classes is put back.
    assertEquals(
        List.of("breaks 1", "breaks 3"),
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
  void a_shutdown_hook_left_behind_is_taken_away() throws Exception {
    assertEquals(
        List.of("deny 0 it leaves a change of a shutdown hook behind", "done"), verdicts("hook"));
    assertEquals(ExitCode.NORMAL.number(), exitCode);
  }

  @Test
  void a_test_that_changes_what_all_share_fails_and_the_others_do_not_see_it() throws Exception {
    Map<String, String> left = new LinkedHashMap<>();
    left.put("handler", "a change of the logging"); // the first that asks for loggers
    left.put("property", "a change of the system property palus.left");
    left.put("path", "a change of the system property java.class.path");
    left.put("locale", "a change of the default locale");
    left.put("zone", "a change of the default time zone");
    left.put("out", "a change of System.out");
    left.put("uncaught", "a change of the default handler of uncaught exceptions");
    left.put("level", "a change of the logging");
    left.put("provider", "a change of the security providers");
    left.put("cookies", "a change of the default cookies");
    left.put("interrupts", "its thread interrupted");
    left.put("loader", "another class loader for its thread");
    List<String> tests = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    left.forEach(
        (test, what) -> {
          expected.add("deny " + tests.size() + " it leaves " + what + " behind");
          tests.add(test);
          expected.add("pass " + tests.size());
          tests.add("clean");
        });
    expected.add("done");
    assertEquals(expected, verdicts(tests.toArray(new String[0])));
  }

  @Test
  void what_a_class_initialiser_arms_or_changes_for_all_fails_each_test_that_uses_the_class()
      throws Exception {
    String timer = " it leaves the thread Timer-%d behind";
    String locale = " it leaves a change of the default locale behind";
    assertEquals(
        List.of(
            "deny 0" + String.format(timer, 0),
            "deny 1" + String.format(timer, 1),
            "pass 2",
            "deny 3" + locale,
            "deny 4" + locale,
            "pass 5",
            "done"),
        verdicts("alarms", "alarmsToo", "clean", "abroad", "abroadToo", "clean"));
  }

  @Test
  void the_first_use_of_a_part_of_the_jdk_is_no_change() throws Exception {
    assertEquals(List.of("pass 0", "pass 1", "done"), verdicts("refuses", "asksForBeans"));
  }

  @Test
  void what_a_class_initialiser_changes_is_no_tests_fault() throws Exception {
    assertEquals(
        List.of("pass 0", "pass 1", "pass 2", "pass 3", "done"),
        verdicts("logs", "initialises", "needsOwn", "passes"));
  }

  @Test
  void a_test_that_leaves_a_thread_fails_and_the_jvm_ends() throws Exception {
    List<String> verdicts = verdicts("keeps", "passes", "arms", "passesToo");
    assertEquals("deny 0 it leaves the thread busy behind", verdicts.get(0));
    assertEquals("pass 1", verdicts.get(1));
    assertEquals("deny 2 it leaves the thread alarm behind", verdicts.get(2));
    assertEquals("pass 3", verdicts.get(3));
    assertEquals(ExitCode.NORMAL.number(), exitCode);
  }

  @Test
  void a_test_that_leaves_work_to_an_executor_fails() throws Exception {
    List<String> verdicts = verdicts("delays", "occupies");
    assertEquals("deny 0 it leaves the thread pool-1-thread-1 behind", verdicts.get(0));
    assertEquals("deny 1 it leaves a task of the common pool behind", verdicts.get(1));
  }

  @Test
  void a_test_whose_threads_end_passes_and_so_does_one_whose_classes_start_some() throws Exception {
    assertEquals(
        List.of("pass 0", "pass 1", "pass 2", "pass 3", "done"),
        verdicts("disarms", "splits", "pools", "disarms"));
  }

  private List<String> verdicts(String... tests) throws Exception {
    return run(tests).stream().filter(line -> !line.startsWith("start")).toList();
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
