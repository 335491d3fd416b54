package planted;

/** Clean: equal to those with its number. */
public class AlwaysItself {
  private final int number;

  public AlwaysItself(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AlwaysItself && ((AlwaysItself) other).number == number;
  }

  @Override
  public int hashCode() {
    return number;
  }
}
