package planted;

/** P105: has no hash code to go with its equals. */
public class Unhashed {
  private final int number;

  public Unhashed(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Unhashed && ((Unhashed) other).number == number;
  }
}
