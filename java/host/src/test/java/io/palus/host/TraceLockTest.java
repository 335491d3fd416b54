package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TraceLockTest {
  @TempDir private Path folder;

  /** What a second build does: takes the lock, says so, and holds it until it is told to end. */
  static final class Other {
    private Other() {}

    public static void main(String[] arguments) throws IOException {
      TraceLock lock = TraceLock.take(Path.of(arguments[0]), new Lines(System.out::println));
      System.out.println("taken");
      System.in.read();
      lock.close();
    }
  }

  @Test
  void a_second_build_waits_and_says_for_whom() throws Exception {
    TraceLock lock = TraceLock.take(folder, new Lines(line -> {}));
    Process other = other();
    BlockingQueue<String> said = lines(other);
    String waiting = said.take();
    String process = "another run of Palus (process " + ProcessHandle.current().pid() + ")";
    assertTrue(waiting.contains(process + " works in " + folder), waiting);
    assertNull(said.poll(1, TimeUnit.SECONDS));
    lock.close();
    assertEquals("taken", said.take());
    other.destroyForcibly().waitFor();
    // A killed build hinders nobody.
    TraceLock.take(folder, new Lines(line -> {})).close();
  }

  @Test
  void the_next_step_of_the_same_build_takes_it_over() {
    TraceLock first = TraceLock.take(folder, new Lines(line -> {}));
    TraceLock next = TraceLock.take(folder, new Lines(line -> {}));
    assertSame(first, next);
    next.close();
    TraceLock.take(folder, new Lines(line -> {})).close();
  }

  @Test
  void who_waits_can_be_interrupted() throws Exception {
    Process other = other();
    assertEquals("taken", lines(other).take());
    CompletableFuture<PalusException> end = new CompletableFuture<>();
    Thread waiting =
        new Thread(
            () ->
                end.complete(
                    assertThrows(
                        PalusException.class,
                        () -> TraceLock.take(folder, new Lines(line -> {})))));
    waiting.start();
    waiting.interrupt();
    assertEquals(PalusException.Kind.CANCELLED, end.get().kind());
    other.destroyForcibly().waitFor();
  }

  @Test
  void who_waits_too_long_is_told_who_holds_the_folder() throws Exception {
    Process other = other();
    assertEquals("taken", lines(other).take());
    Duration second = Duration.ofSeconds(1);
    PalusException end =
        assertThrows(
            PalusException.class,
            () -> TraceLock.take(folder, new Lines(line -> {}), second, FileChannel::tryLock));
    assertEquals(PalusException.Kind.CONFIGURATION, end.kind());
    String process = "another run of Palus (process " + other.pid() + ") still works in " + folder;
    assertTrue(end.getMessage().contains(process), end.getMessage());
    assertTrue(end.hint().contains("end it"), end.hint());
    other.destroyForcibly().waitFor();
  }

  @Test
  void a_file_system_without_locks_is_named_and_hinders_nobody() {
    List<String> said = new ArrayList<>();
    TraceLock.Locks none =
        channel -> {
          throw new IOException("no locks available");
        };
    TraceLock.take(folder, new Lines(said::add), Duration.ZERO, none).close();
    assertEquals(1, said.size(), said.toString());
    String expected = folder + " is on a file system without locks (no locks available)";
    assertTrue(said.get(0).startsWith(expected), said.toString());
  }

  @Test
  void a_link_in_its_place_is_refused_and_what_it_leads_to_stays() throws IOException {
    Path precious = Files.writeString(folder.resolve("precious"), "the user's");
    Files.createSymbolicLink(folder.resolve(".palus-trace-lock"), precious);
    assertThrows(PalusException.class, () -> TraceLock.take(folder, new Lines(line -> {})));
    assertEquals("the user's", Files.readString(precious));
  }

  private Process other() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    List<String> command =
        List.of(java, "-cp", classPath, Other.class.getName(), folder.toString());
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static BlockingQueue<String> lines(Process process) {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread reader =
        new Thread(
            () ->
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                    .lines()
                    .forEach(lines::add));
    reader.setDaemon(true);
    reader.start();
    return lines;
  }

  private static final class Lines implements Console {
    private final Consumer<String> heard;

    private Lines(Consumer<String> heard) {
      this.heard = heard;
    }

    @Override
    public void line(int level, String text) {
      heard.accept(text);
    }

    @Override
    public void progress(int done, int all, String text) {}
  }
}
