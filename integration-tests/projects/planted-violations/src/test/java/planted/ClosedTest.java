package planted;

import static org.junit.Assert.fail;
import static org.junit.Assume.assumeNotNull;

import org.junit.experimental.theories.DataPoint;
import org.junit.experimental.theories.Theories;
import org.junit.experimental.theories.Theory;
import org.junit.runner.RunWith;

/** Holds for the points that it names; of others, one holds and one does not. */
@RunWith(Theories.class)
public class ClosedTest {
  @DataPoint public static final Gate GATE = new Gate();
  @DataPoint public static final Turnstile TURNSTILE = new Turnstile();

  @Theory
  public void aClosedGateLetsNobodyThrough(Gate gate) {
    assumeNotNull(gate);
    gate.close();
    try {
      gate.pass();
    } catch (IllegalStateException expected) {
      return;
    }
    fail("passed a closed gate");
  }

  @Theory
  public void aClosedTurnstileLetsNobodyThrough(Turnstile turnstile) {
    assumeNotNull(turnstile);
    turnstile.close();
    try {
      turnstile.pass();
    } catch (IllegalStateException expected) {
      return;
    }
    fail("passed a closed turnstile");
  }
}
