package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.palus.worker.instrument.GuardRules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The engine's list of guarded calls is the worker's: {@code UPDATE_EXPECT=1} writes it anew. */
class GuardListTest {
  private static final Path LIST =
      Path.of(System.getProperty("palus.root"), "native/analyze/src/guarded_calls.txt");

  @Test
  void theEngineKnowsTheSameCalls() throws IOException {
    String expected = String.join("\n", GuardRules.listed()) + "\n";
    if ("1".equals(System.getenv("UPDATE_EXPECT"))) {
      Files.write(LIST, expected.getBytes(StandardCharsets.UTF_8));
    }
    String list = new String(Files.readAllBytes(LIST), StandardCharsets.UTF_8);
    assertEquals(expected, list, "with UPDATE_EXPECT=1 this test writes " + LIST);
  }
}
