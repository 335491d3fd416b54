package land;

/** Without an interface: what proxies it must extend it. */
public class Office {
  private int visits;

  public int visit() {
    visits++;
    return visits;
  }

  public Office self() {
    return this;
  }
}
