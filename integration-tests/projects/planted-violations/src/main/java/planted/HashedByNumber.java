package planted;

/** Clean: equal objects have equal hash codes, and so have others. */
public class HashedByNumber {
  private final int number;

  public HashedByNumber(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HashedByNumber && ((HashedByNumber) other).number == number;
  }

  @Override
  public int hashCode() {
    return number % 7;
  }
}
