package gangup;

/** What a player owns. */
public class Chest {
  private int gold;

  public void fill(int gold) {
    this.gold = gold;
  }

  public int gold() {
    return gold;
  }
}
