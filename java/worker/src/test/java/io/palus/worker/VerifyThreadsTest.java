package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  private List<String> verdicts(String... tests) throws Exception {
    Path classes = Sources.compile(folder, 8, "demo/ThreadsPalusTest.java", TESTS);
    List<String> lines =
        List.of(tests).stream().map(test -> "demo.ThreadsPalusTest\t" + test).toList();
    Path list = Files.write(folder.resolve("list"), lines);
    String jar = System.getProperty("palus.workerJar", System.getProperty("java.class.path"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
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
