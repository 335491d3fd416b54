package gangup;

/** Where a player lives. */
public class Den {
  private Vault vault;

  /** Puts that vault in, in place of any other. */
  public void fit(Vault vault) {
    this.vault = vault;
  }

  public Vault vault() {
    return vault;
  }
}
