package gangup;

/** One player acts on another, both given by seat. */
public class Move {
  private final int actor;
  private final int target;

  public Move(int actor, int target) {
    this.actor = actor;
    this.target = target;
  }

  public int actor() {
    return actor;
  }

  public int target() {
    return target;
  }
}
