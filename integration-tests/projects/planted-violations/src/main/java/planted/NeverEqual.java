package planted;

/** P101: not even equal to itself. */
public class NeverEqual {
  private final int number;

  public NeverEqual(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return false;
  }

  @Override
  public int hashCode() {
    return number;
  }
}
