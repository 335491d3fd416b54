package io.palus.worker.runtime;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Who may ask for what the build holds back. */
class HeldBackTest {
  private static final String NAME = "acme.key";

  /** All ways to ask for a property by its name. */
  private static final List<Executable> ASKERS =
      List.of(
          () -> HeldBack.getProperty(NAME),
          () -> HeldBack.getProperty(NAME, "else"),
          () -> HeldBack.getBoolean(NAME),
          () -> HeldBack.getInteger(NAME),
          () -> HeldBack.getInteger(NAME, 1),
          () -> HeldBack.getLong(NAME),
          () -> HeldBack.getLong(NAME, 1L));

  @BeforeEach
  void hold() {
    System.setProperty(NAME, "palus-held-back");
  }

  @AfterEach
  void release() {
    System.clearProperty(NAME);
    HeldBack.denyTo(true);
  }

  @Test
  void a_new_test_may_not_ask_in_any_way() {
    for (Executable asker : ASKERS) {
      assertThrows(DeniedException.class, asker);
    }
  }

  @Test
  void a_test_that_was_written_runs_as_before() {
    HeldBack.denyTo(false);
    for (Executable asker : ASKERS) {
      assertDoesNotThrow(asker);
    }
  }

  @Test
  void what_is_not_held_back_is_as_it_is() {
    System.setProperty(NAME, "7");
    for (Executable asker : ASKERS) {
      assertDoesNotThrow(asker);
    }
    assertEquals(7, HeldBack.getInteger(NAME));
    System.clearProperty(NAME);
    assertEquals("else", HeldBack.getProperty(NAME, "else"));
    assertEquals(System.getenv("PATH"), HeldBack.getenv().get("PATH"));
  }
}
