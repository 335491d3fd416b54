package gangup;

/** Players who act as one: what their leader owns decides how strong they are. */
public class Gang {
  private Player leader;

  /** Has that leader from now on. */
  public void follow(Player leader) {
    this.leader = leader;
  }

  public Player leader() {
    return leader;
  }
}
