package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads that a written test starts outside of the group that it runs in. */
class VerifyThreadsTest {
  private static final String TESTS =
      """
      package demo;
      class ThreadsPalusTest {
        private static void start(ThreadGroup group, String name) {
          Thread thread = new Thread(group, () -> { while (true) { } }, name);
          thread.setDaemon(true);
          thread.start();
        }
        void above() { start(Thread.currentThread().getThreadGroup().getParent(), "above"); }
        void beside() {
          ThreadGroup parent = Thread.currentThread().getThreadGroup().getParent();
          start(new ThreadGroup(parent, "others"), "beside");
        }
        void own() { start(null, "own"); }
        void none() { }
        static class Held {
          static final java.util.Timer TIMER = new java.util.Timer(true);
          static final java.util.concurrent.ExecutorService POOL =
              java.util.concurrent.Executors.newCachedThreadPool(ThreadsPalusTest::daemon);
        }
        static Thread daemon(Runnable task) {
          Thread thread = new Thread(task);
          thread.setDaemon(true);
          return thread;
        }
        static void sleep() {
          try { Thread.sleep(12_000); } catch (InterruptedException e) { return; }
        }
        void works() throws Exception { Held.POOL.submit(() -> { }).get(); }
        void sleeps() { Held.POOL.execute(ThreadsPalusTest::sleep); }
        void alarm() {
          Held.TIMER.schedule(new java.util.TimerTask() { public void run() { System.exit(3); } }, 12_000);
        }
        void delays() {
          java.util.concurrent.CompletableFuture.delayedExecutor(
              12, java.util.concurrent.TimeUnit.SECONDS).execute(() -> System.exit(3));
        }
        private static ThreadGroup root() {
          ThreadGroup group = Thread.currentThread().getThreadGroup();
          while (group.getParent() != null) { group = group.getParent(); }
          return group;
        }
        void named() { start(root(), "AWT-alarm"); }
        void sleepsAsJdk() {
          Thread thread = new Thread(root(), ThreadsPalusTest::sleep, "SIG-alarm");
          thread.setDaemon(true);
          thread.start();
        }
        void timerOfRoot() throws Exception {
          Thread maker = new Thread(root(), () -> new java.util.Timer(true).schedule(
              new java.util.TimerTask() { public void run() { System.exit(3); } }, 12_000), "RMI ");
          maker.start();
          maker.join();
        }
        static java.util.concurrent.ThreadFactory asJdk(String name) {
          return task -> {
            Thread thread = new Thread(root(), task, name);
            thread.setDaemon(true);
            return thread;
          };
        }
        void fixedPool() throws Exception {
          java.util.concurrent.Executors.newFixedThreadPool(1, asJdk("Keep-Alive-Timer"))
              .submit(() -> { }).get();
        }
        void cachedPool() throws Exception {
          java.util.concurrent.Executors.newCachedThreadPool(asJdk("process reaper"))
              .submit(() -> { }).get();
        }
        static Object schedule(String name) {
          java.util.concurrent.ScheduledExecutorService pool =
              java.util.concurrent.Executors.newScheduledThreadPool(1, asJdk(name));
          pool.schedule(() -> System.exit(3), 12, java.util.concurrent.TimeUnit.SECONDS);
          return pool;
        }
        void scheduledPool() { schedule("Cleaner-7"); }
        static class Armed { static final Object POOL = schedule("Common-Cleaner"); }
        void armsInInitializer() { Armed.POOL.hashCode(); }
        void futureTask() {
          java.util.concurrent.BlockingQueue<Integer> none =
              new java.util.concurrent.LinkedBlockingQueue<>();
          asJdk("Java2D Disposer").newThread(
              new java.util.concurrent.FutureTask<>(none::take)).start();
        }
        void cleans() { java.lang.ref.Cleaner.create(); }
        void draws() { new java.awt.image.BufferedImage(9, 9, 1).createGraphics().dispose(); }
        static void deleteSoon(long nanos) {
          for (long start = System.nanoTime(); System.nanoTime() - start < nanos; ) { }
          new java.io.File("data/cache.db").delete();
        }
        void deletesSoon() { daemon(() -> deleteSoon(100_000_000)).start(); }
        static class Queue {
          static final java.util.concurrent.BlockingQueue<Long> WORK =
              new java.util.concurrent.LinkedBlockingQueue<>();
          static { daemon(Queue::work).start(); }
          static void work() {
            try {
              while (true) { deleteSoon(WORK.take()); }
            } catch (InterruptedException e) { }
          }
        }
        void makesQueue() { Queue.WORK.size(); }
        void deletesByQueue() { Queue.WORK.add(20_000_000L); }
        void handsToChannel() throws Exception {
          java.nio.file.Path file = java.nio.file.Files.createTempFile("read", "here");
          java.nio.channels.AsynchronousFileChannel.open(file).read(
              java.nio.ByteBuffer.allocate(1), 0, null,
              new java.nio.channels.CompletionHandler<Integer, Object>() {
                public void completed(Integer count, Object with) { sleep(); }
                public void failed(Throwable cause, Object with) { sleep(); }
              });
        }
        void asks() { java.lang.management.ManagementFactory.getPlatformMBeanServer(); }
      }
      """;

  @TempDir Path folder;

  @Test
  void a_thread_beside_or_above_the_group_of_the_tests_is_the_tests_that_started_it()
      throws Exception {
    assertEquals(
        List.of(
            "deny 0 it leaves the thread above behind",
            "pass 1",
            "deny 2 it leaves the thread beside behind",
            "deny 3 it leaves the thread own behind",
            "pass 4",
            "pass 5",
            "done"),
        verdicts("above", "none", "beside", "own", "asks", "none"));
  }

  @Test
  void work_for_a_thread_that_lives_already_is_the_tests_that_gave_it() throws Exception {
    assertEquals(
        List.of(
            "pass 0", // an initialiser made the thread of the timer, and the test that of the pool
            "pass 1",
            "deny 2 it leaves work for the thread Thread-1 behind",
            "pass 3",
            "deny 4 it leaves work for the thread Timer-1 behind",
            "deny 5 it leaves the thread CompletableFutureDelayScheduler behind",
            "pass 6",
            "deny 7 it leaves work for a thread that no list has behind",
            "done"),
        verdicts("works", "works", "sleeps", "works", "alarm", "delays", "none", "delays"));
  }

  @Test
  void a_name_as_the_jdk_gives_makes_no_thread_the_jdks() throws Exception {
    assertEquals(
        List.of(
            "deny 0 it leaves the thread AWT-alarm behind",
            "deny 1 it leaves the thread SIG-alarm behind",
            "deny 2 it leaves the thread Timer-0 behind",
            "deny 3 it leaves the thread Keep-Alive-Timer behind",
            "deny 4 it leaves the thread process reaper behind",
            "deny 5 it leaves the thread Cleaner-7 behind",
            "deny 6 it leaves the thread Common-Cleaner behind",
            "deny 7 it leaves the thread Common-Cleaner behind",
            "deny 8 it leaves the thread Java2D Disposer behind",
            "done"),
        verdicts(
            "named",
            "sleepsAsJdk",
            "timerOfRoot",
            "fixedPool",
            "cachedPool",
            "scheduledPool",
            "armsInInitializer",
            "armsInInitializer",
            "futureTask"));
  }

  @Test
  void what_the_jdk_has_threads_for_is_no_tests_on_each_jdk_that_is_installed() throws Exception {
    for (Path home : homes()) {
      assertEquals(
          List.of("pass 0", "pass 1", "pass 2", "done"),
          verdictsOf(home, "cleans", "draws", "cleans"),
          home.toString());
    }
  }

  @Test
  void what_is_denied_to_a_thread_after_its_test_is_denied_to_that_test() throws Exception {
    assertEquals(
        List.of(
            "deny 0 it is denied File.delete on a file that it did not make",
            "pass 1",
            "pass 2", // its initialiser made the thread, which waits
            "deny 3 it is denied File.delete on a file that it did not make",
            "pass 4",
            "done"),
        verdicts("deletesSoon", "none", "makesQueue", "deletesByQueue", "none"));
  }

  /** Each JDK gives the threads that it makes for others a kind of its own choice. */
  @Test
  void what_a_pool_of_channels_runs_is_the_tests_on_each_jdk_that_is_installed() throws Exception {
    for (Path home : homes()) {
      List<String> said = verdictsOf(home, "none", "handsToChannel");
      assertEquals("pass 0", said.get(0), home.toString());
      String left = "deny 1 it leaves the thread ";
      assertTrue(said.get(1).startsWith(left), home + ": " + said);
    }
  }

  private static List<Path> homes() throws IOException {
    Path own = Path.of(System.getProperty("java.home"));
    List<Path> homes;
    try (Stream<Path> beside = Files.list(own.getParent())) {
      homes = beside.filter(home -> Files.isExecutable(home.resolve("bin/javac"))).toList();
    }
    assertTrue(homes.contains(own), homes.toString());
    return homes;
  }

  private List<String> verdicts(String... tests) throws Exception {
    return verdictsOf(Path.of(System.getProperty("java.home")), tests);
  }

  private List<String> verdictsOf(Path home, String... tests) throws Exception {
    Path classes = Sources.compile(folder, 17, "demo/ThreadsPalusTest.java", TESTS);
    List<String> lines =
        List.of(tests).stream().map(test -> "demo.ThreadsPalusTest\t" + test).toList();
    Path list = Files.write(folder.resolve("list"), lines);
    String jar = System.getProperty("palus.workerJar", System.getProperty("java.class.path"));
    Process process =
        new ProcessBuilder(
                home.resolve("bin/java").toString(),
                "-javaagent:" + jar + "=--guard",
                "-cp",
                classes + File.pathSeparator + jar,
                "io.palus.worker.verify.VerifyMain",
                list.toString(),
                "--limit",
                "10000")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said.lines().filter(line -> !line.startsWith("start")).toList();
  }
}
