package planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ClosedTest {
  @Test
  void aNewTurnstileCloses() {
    Turnstile turnstile = new Turnstile();
    turnstile.close();
    assertThrows(IllegalStateException.class, turnstile::pass);
  }

  @Test
  void anOpenGateCounts() {
    Gate gate = new Gate();
    assertEquals(1, gate.pass());
    assertEquals(2, gate.pass());
  }
}
