package planted;

/** P104: takes any object for one of its own. */
public class CastsBlindly {
  private final int number;

  public CastsBlindly(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other != null && ((CastsBlindly) other).number == number;
  }

  @Override
  public int hashCode() {
    return number;
  }
}
