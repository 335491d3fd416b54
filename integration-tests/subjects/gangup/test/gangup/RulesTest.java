package gangup;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import org.junit.Test;

/** Plays a little, and leaves what an attack does to Palus. */
public class RulesTest {
  @Test
  public void nobodyHitsAtAnEmptyTable() {
    assertFalse(new Rules().hits(new Move(0, 1), new Table()));
  }

  @Test
  public void whoWaitsDoesNotHit() {
    Player first = new Player(0);
    Player second = new Player(1);
    second.choose(Player.JOIN);
    Table table = new Table();
    table.seat(new Player[] {first, second});
    table.nextTurn();
    assertFalse(new Rules().hits(new Move(0, 1), table));
    assertEquals(1, table.turn());
  }
}
