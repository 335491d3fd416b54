package gangup;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import org.junit.Test;

/** Plays a little, and leaves what gangs do to each other to Palus. */
public class RulesTest {
  @Test
  public void nobodyHitsAPlaceWithoutASeat() {
    assertFalse(new Rules().hits(new Move(-1, Table.SEATS), new Table()));
  }

  @Test
  public void nobodyHelpsWhoWaits() {
    Player first = new Player(0);
    Player second = new Player(1);
    second.choose(Player.JOIN);
    Table table = new Table();
    table.seat(new Player[] {first, second});
    table.nextTurn();
    assertEquals(1, table.turn());
    assertEquals(Player.JOIN, table.player(1).choice());
  }
}
