package gangup;

/** Where a den keeps what its owner has. */
public class Vault {
  private Chest chest;

  /** Puts that chest in, in place of any other. */
  public void keep(Chest chest) {
    this.chest = chest;
  }

  public Chest chest() {
    return chest;
  }
}
