package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The border to Rust, seen from Java; the native library of these tests behaves as the setting
 * {@code selfTest} says, which the shipped one does not know.
 */
class PalusTest {
  private final Heard console = new Heard();

  @Test
  void settings_lines_and_summary_cross_the_border_unharmed() {
    Settings.Builder settings = Settings.builder().set("selfTest", "echo");
    for (int i = 0; i < 5000; i++) {
      settings.set("name" + i, "wert ü 😀 \0 " + i);
    }
    GenerationReport report = Palus.generate(settings.build(), console);
    assertEquals(5000 + properties(), report.tests());
    assertEquals(1, report.files());
    assertEquals("report ü 😀", report.report().toString());
    assertTrue(console.lines.contains("1 name4999=wert ü 😀 \0 4999"));
    assertTrue(console.lines.contains("0 debug"));
    assertTrue(console.lines.contains("0 logged"));
    assertTrue(console.lines.contains("2 warning"));
    assertEquals(List.of("27/38 progress"), console.progress);
  }

  /** How many properties of this JVM go with the settings. */
  private static long properties() {
    return System.getProperties().stringPropertyNames().stream()
        .filter(name -> !name.startsWith("java.") && !name.startsWith("sun."))
        .count();
  }

  @Test
  void the_console_is_called_on_the_callers_thread_alone() {
    List<Thread> threads = new ArrayList<>();
    Palus.generate(
        selfTest("echo"),
        new Console() {
          @Override
          public void line(int level, String text) {
            threads.add(Thread.currentThread());
          }

          @Override
          public void progress(int done, int all, String text) {
            threads.add(Thread.currentThread());
          }
        });
    assertFalse(threads.isEmpty());
    threads.forEach(thread -> assertEquals(Thread.currentThread(), thread));
  }

  @Test
  void a_panic_becomes_an_exception_with_its_message_and_the_log_gets_the_backtrace() {
    PalusException e = fail("panic");
    assertEquals(PalusException.Kind.INTERNAL, e.kind());
    assertTrue(e.getMessage().contains("asked to panic"), e.getMessage());
    String log = String.join("\n", console.lines);
    assertTrue(log.matches("(?s).*0 thread 'palus-pool-\\d+': panicked at.*"), log);
    assertTrue(log.contains("self_test"), log);
  }

  @Test
  void a_formatted_panic_and_one_of_another_thread_keep_their_messages() {
    String message = "asked to panic with " + properties() + " settings";
    assertTrue(fail("formattedPanic").getMessage().contains(message));
    assertTrue(fail("deepPanic").getMessage().contains("asked to panic on another thread"));
  }

  @Test
  void after_a_panic_the_library_still_works() {
    fail("panic");
    assertEquals(properties(), Palus.generate(selfTest("echo"), console).tests());
  }

  @Test
  void an_error_keeps_kind_message_and_hint() {
    PalusException e = fail("configuration");
    assertEquals(PalusException.Kind.CONFIGURATION, e.kind());
    assertEquals("setting 'selfTest' is 'configuration'", e.getMessage());
    assertEquals("leave it out", e.hint());
    assertEquals("setting 'selfTest' is 'configuration'. Leave it out", e.userMessage());
    assertEquals(PalusException.Kind.WORKER, fail("worker").kind());
  }

  @Test
  void explaining_without_a_run_names_the_command_for_one(@TempDir Path folder) {
    Settings settings =
        Settings.builder()
            .set("method", "city.RoadMap#init")
            .set("reportDirectory", folder)
            .set("commandLine", "mvn palus:generate")
            .build();
    PalusException e = assertThrows(PalusException.class, () -> Palus.explain(settings, console));
    assertEquals(PalusException.Kind.CONFIGURATION, e.kind());
    assertEquals("run `mvn palus:generate` first", e.hint());
  }

  @Test
  void an_explanation_reaches_the_console_as_lines(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("explain.json"),
        "{\"schema_version\":3,\"palus_version\":\"\",\"command_line\":\"\","
            + "\"names\":[\"RoadMapPalusTest#init_completes\"],\"classes\":[{\"name\":"
            + "\"city.RoadMap\",\"methods\":[{\"method\":\"init()\",\"tests\":[0]}]}]}");
    Settings settings =
        Settings.builder().set("method", "RoadMap#init").set("reportDirectory", folder).build();
    Palus.explain(settings, console);
    assertEquals("1 city.RoadMap#init()", console.lines.get(0));
    assertEquals("1   tests       1: RoadMapPalusTest#init_completes", console.lines.get(1));
  }

  @Test
  void a_wrong_setting_gets_the_engines_words() {
    Settings settings = Settings.builder().set("budget", "many").build();
    PalusException e = assertThrows(PalusException.class, () -> Palus.generate(settings, console));
    assertEquals(PalusException.Kind.CONFIGURATION, e.kind());
    assertTrue(e.userMessage().contains("budget"), e.userMessage());
    assertTrue(e.userMessage().contains("many"), e.userMessage());
  }

  @Test
  void what_the_console_throws_is_swallowed() {
    GenerationReport report =
        Palus.generate(
            selfTest("echo"),
            new Console() {
              @Override
              public void line(int level, String text) {
                throw new IllegalStateException("broken console");
              }

              @Override
              public void progress(int done, int all, String text) {
                throw new AssertionError("broken console");
              }
            });
    assertEquals(1, report.files());
  }

  @Test
  void an_interrupt_ends_the_run_and_the_flag_stays() throws InterruptedException {
    CountDownLatch waiting = new CountDownLatch(1);
    AtomicReference<PalusException> thrown = new AtomicReference<>();
    AtomicReference<Boolean> flag = new AtomicReference<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                Palus.generate(
                    selfTest("wait"),
                    new Console() {
                      @Override
                      public void line(int level, String text) {
                        waiting.countDown();
                      }

                      @Override
                      public void progress(int done, int all, String text) {}
                    });
              } catch (PalusException e) {
                thrown.set(e);
                flag.set(Thread.currentThread().isInterrupted());
              }
            });
    caller.start();
    assertTrue(waiting.await(30, TimeUnit.SECONDS));
    caller.interrupt();
    caller.join(30_000);
    assertEquals(PalusException.Kind.CANCELLED, thrown.get().kind());
    assertEquals(true, flag.get());
  }

  private PalusException fail(String selfTest) {
    return assertThrows(PalusException.class, () -> Palus.generate(selfTest(selfTest), console));
  }

  private static Settings selfTest(String name) {
    return Settings.builder().set("selfTest", name).build();
  }

  private static final class Heard implements Console {
    private final List<String> lines = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();

    @Override
    public void line(int level, String text) {
      lines.add(level + " " + text);
    }

    @Override
    public void progress(int done, int all, String text) {
      progress.add(done + "/" + all + " " + text);
    }
  }
}
