package planted;

/** Clean: says on purpose that it is no key. */
public class Unhashable {
  private final int number;

  public Unhashable(int number) {
    this.number = number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Unhashable && ((Unhashable) other).number == number;
  }

  @Override
  public int hashCode() {
    throw new UnsupportedOperationException("not a key");
  }
}
