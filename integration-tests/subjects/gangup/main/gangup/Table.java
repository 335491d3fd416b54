package gangup;

/** The players of a game by seat. Nobody sits there before {@link #seat(Player[])}. */
public class Table {
  /** Seats that a table has. */
  public static final int SEATS = 8;

  private Player[] players;
  private int turn;

  /** Lets players sit down; the first gets seat 0. */
  public void seat(Player[] players) {
    if (players.length > SEATS) {
      throw new IllegalArgumentException("too many players: " + players.length);
    }
    this.players = players;
  }

  /** Whoever has that seat, or null where nobody has, or no table has it. */
  public Player player(int seat) {
    if (seat < 0 || seat >= SEATS) {
      return null;
    }
    return players[seat];
  }

  public void nextTurn() {
    turn++;
  }

  public int turn() {
    return turn;
  }
}
