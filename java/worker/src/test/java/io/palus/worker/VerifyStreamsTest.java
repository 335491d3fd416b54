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

/** Standard streams that a written test closes or reads, some only in the second verification. */
class VerifyStreamsTest {
  private static final String TESTS =
      """
      package demo;
      class StreamsPalusTest {
        static boolean isElsewhere() {
          return System.out.getClass() == java.io.PrintStream.class;
        }
        static int read() {
          try { return System.in.read(); } catch (java.io.IOException e) { return -2; }
        }
        void prints() {
          System.out.println("x");
          System.err.println("x");
          if (System.out.checkError() || System.err.checkError()) throw new AssertionError();
        }
        void closesOut() { System.out.close(); }
        void closesOutElsewhere() { if (isElsewhere()) System.out.close(); }
        void closesErrElsewhere() { if (isElsewhere()) System.err.close(); }
        void closesInElsewhere() throws Exception { if (isElsewhere()) System.in.close(); }
        static class Held { static final java.io.PrintStream OUT = System.out; }
        void closesHeldElsewhere() { if (isElsewhere()) Held.OUT.close(); }
        void readsElsewhere() { if (isElsewhere() && read() != -1) throw new AssertionError(); }
        static class Input {
          static final int FIRST = isElsewhere() ? read() : -1;
        }
        void readsInInitializerElsewhere() { if (Input.FIRST != -1) throw new AssertionError(); }
        static class Closed {
          static final int ONE = Integer.parseInt("1");
          static { System.out.close(); }
        }
        void closesInInitializer() { if (Closed.ONE != 1) throw new AssertionError(); }
      }
      """;

  private static final String OUT = " it leaves System.out closed behind";
  private static final String READ = " it leaves System.in read behind";

  private static final String[] ALL = {
    "prints",
    "closesOutElsewhere",
    "prints",
    "closesOutElsewhere",
    "closesErrElsewhere",
    "closesInElsewhere",
    "readsElsewhere",
    "readsInInitializerElsewhere",
    "readsInInitializerElsewhere",
    "closesHeldElsewhere",
    "closesHeldElsewhere",
    "closesOut",
    "closesInInitializer",
    "closesInInitializer",
    "prints",
  };

  @TempDir Path folder;

  @Test
  void a_standard_stream_that_is_closed_or_read_is_not_forgiven() throws Exception {
    assertEquals(
        List.of(
            "pass 0",
            "pass 1",
            "pass 2",
            "pass 3",
            "pass 4",
            "pass 5",
            "pass 6",
            "pass 7",
            "pass 8",
            "pass 9",
            "pass 10",
            "deny 11" + OUT,
            "deny 12" + OUT,
            "deny 13" + OUT,
            "pass 14",
            "done"),
        verdicts("--guard", List.of(), ALL));
  }

  @Test
  void one_that_is_closed_or_read_in_the_second_verification_only_is_not_forgiven()
      throws Exception {
    assertEquals(
        List.of(
            "pass 0",
            "deny 1" + OUT,
            "pass 2",
            "deny 3" + OUT,
            "deny 4 it leaves System.err closed behind",
            "deny 5 it leaves System.in closed behind",
            "deny 6" + READ,
            "deny 7" + READ,
            "deny 8" + READ,
            "deny 9" + OUT,
            "deny 10" + OUT,
            "deny 11" + OUT,
            "deny 12" + OUT,
            "deny 13" + OUT,
            "pass 14",
            "done"),
        verdicts("--guard-elsewhere", List.of("--bare-user", folder.toString()), ALL));
  }

  private List<String> verdicts(String guard, List<String> options, String... tests)
      throws Exception {
    Path classes = Sources.compile(folder, 8, "demo/StreamsPalusTest.java", TESTS);
    List<String> lines =
        List.of(tests).stream().map(test -> "demo.StreamsPalusTest\t" + test).toList();
    Path list = Files.write(folder.resolve("list"), lines);
    String jar = System.getProperty("palus.workerJar", System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-javaagent:" + jar + "=" + guard);
    command.addAll(List.of("-cp", classes + File.pathSeparator + jar));
    command.addAll(List.of("io.palus.worker.verify.VerifyMain", list.toString()));
    command.addAll(List.of("--limit", "10000"));
    command.addAll(options);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said.lines().filter(line -> !line.startsWith("start")).toList();
  }
}
