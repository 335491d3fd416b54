package gangup;

/** Somebody at the table, and what they do this turn. */
public class Player {
  /** Waits for the next turn. */
  public static final int WAIT = 0;

  /** Attacks whoever the move names. */
  public static final int ATTACK = 1;

  /** Helps whoever the move names. */
  public static final int JOIN = 2;

  private final int seat;
  private int choice = WAIT;
  private Gang gang;
  private Den den;

  public Player(int seat) {
    if (seat < 0) {
      throw new IllegalArgumentException("there is no seat " + seat);
    }
    this.seat = seat;
  }

  public int seat() {
    return seat;
  }

  public void choose(int choice) {
    if (choice < WAIT || choice > JOIN) {
      throw new IllegalArgumentException("there is no choice " + choice);
    }
    this.choice = choice;
  }

  /** Goes along with that gang from now on. */
  public void join(Gang gang) {
    this.gang = gang;
  }

  public Gang gang() {
    return gang;
  }

  /** Lives there from now on. */
  public void moveTo(Den den) {
    this.den = den;
  }

  public Den den() {
    return den;
  }

  public int choice() {
    return choice;
  }
}
