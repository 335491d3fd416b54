package planted.theories;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.palus.annotations.Theory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import planted.ByLength;
import planted.Gate;
import planted.Turnstile;

/** What has to hold for whatever is handed in. */
class ClosedTheories {
  @Theory
  void aClosedGateLetsNobodyThrough(Gate gate) {
    assumeTrue(gate != null);
    gate.close();
    assertThrows(IllegalStateException.class, gate::pass);
  }

  @Theory
  void aClosedTurnstileLetsNobodyThrough(Turnstile turnstile) {
    assumeTrue(turnstile != null);
    turnstile.close();
    assertThrows(IllegalStateException.class, turnstile::pass);
  }

  @Theory
  @ParameterizedTest
  @ValueSource(strings = {"", "a", "aa"})
  void reversedTwiceIsTheSame(String text) {
    assumeTrue(text != null);
    assertEquals(new ByLength(text), new ByLength(text).reversed().reversed());
  }

  @Theory
  @ParameterizedTest
  @ValueSource(strings = {"", "a", "aa"})
  void reversedIsTheSame(String text) {
    assumeTrue(text != null);
    assertEquals(new ByLength(text), new ByLength(text).reversed());
  }
}
