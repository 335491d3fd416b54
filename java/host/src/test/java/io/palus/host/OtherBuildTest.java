package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherBuildTest {
  @TempDir Path temp;

  @Test
  void a_build_that_fails_is_told_by_its_last_lines_without_secrets() {
    System.setProperty("shop.token", "s3cr3t-of-shop");
    try {
      PalusException thrown =
          assertThrows(PalusException.class, () -> run("echo got s3cr3t-of-shop; exit 3"));
      assertEquals(PalusException.Kind.CONFIGURATION, thrown.kind());
      assertTrue(thrown.getMessage().contains("main does not build: "), thrown.getMessage());
      assertTrue(thrown.getMessage().contains("got ***"), thrown.getMessage());
      assertFalse(thrown.getMessage().contains("s3cr3t"), thrown.getMessage());
    } finally {
      System.clearProperty("shop.token");
    }
  }

  @Test
  void only_the_last_lines_are_told() {
    PalusException thrown = assertThrows(PalusException.class, () -> run("seq 1000 1099; exit 1"));
    assertFalse(thrown.getMessage().contains("1069"), thrown.getMessage());
    assertTrue(thrown.getMessage().contains("1070"), thrown.getMessage());
  }

  @Test
  void a_build_that_hangs_can_be_interrupted() throws Exception {
    AtomicReference<Throwable> ended = new AtomicReference<>();
    Thread caller = new Thread(() -> run("sleep 3600"));
    caller.setUncaughtExceptionHandler((thread, thrown) -> ended.set(thrown));
    caller.start();
    caller.interrupt();
    caller.join();
    PalusException thrown = (PalusException) ended.get();
    assertEquals(PalusException.Kind.CANCELLED, thrown.kind());
  }

  private void run(String script) {
    OtherBuild.run(List.of("sh", "-c", script), temp, "main");
  }
}
