package gangup;

/**
 * What a move leads to. To get past the first check takes a move and a table that belong together:
 * the seats of the one are taken at the other, and the players there have gangs whose leaders own
 * something. The idea is the running example of Lin, Ong, Sun, Fraser, Dong, "Graph-Based Seed
 * Object Synthesis for Search-Based Unit Testing", ESEC/FSE 2021.
 */
public class Rules {
  /** True if the move hits. */
  public boolean hits(Move move, Table table) {
    Player actor = table.player(move.actor());
    Player target = table.player(move.target());
    if (actor == null || target == null) {
      return false;
    }
    Player defender = target.gang().leader();
    int attack = actor.gang().leader().den().vault().chest().gold();
    int defence = defender.den().vault().chest().gold();
    if (attack <= defence) {
      return false;
    }
    return defence == 0 || defender.choice() != Player.ATTACK || table.turn() > 1;
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
