package gangup;

/**
 * What a move leads to. To get past the first checks takes a move and a table that belong together:
 * the seats of the one are taken at the other, and the players there have made their choices. The
 * idea is the running example of Lin, Ong, Sun, Fraser, Dong, "Graph-Based Seed Object Synthesis
 * for Search-Based Unit Testing", ESEC/FSE 2021.
 */
public class Rules {
  /** True if the move hits. */
  public boolean hits(Move move, Table table) {
    Player actor = table.player(move.actor());
    if (actor == null) {
      return false;
    }
    Player target = table.player(move.target());
    if (target == null || target == actor) {
      return false;
    }
    if (actor.choice() != Player.ATTACK) {
      return false;
    }
    return target.choice() != Player.ATTACK || table.turn() > 1;
  }

  /** Players who help the actor against the target. */
  public int strength(Move move, Table table) {
    int strength = 0;
    for (int seat = 0; seat < Table.SEATS; seat++) {
      Player player = table.player(seat);
      if (player == null || seat == move.target()) {
        continue;
      }
      if (seat == move.actor() && player.choice() == Player.ATTACK) {
        strength += 2;
      } else if (player.choice() == Player.JOIN) {
        strength++;
      }
    }
    return strength;
  }
}
