package gangup;

/** What a gang owns. */
public class Vault {
  private int gold;

  public void store(int gold) {
    this.gold = gold;
  }

  public int gold() {
    return gold;
  }
}
