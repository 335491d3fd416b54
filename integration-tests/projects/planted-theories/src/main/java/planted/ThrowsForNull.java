package planted;

/** P103: looks into null. */
public class ThrowsForNull {
  private final int number;

  public ThrowsForNull(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other.getClass() == ThrowsForNull.class && ((ThrowsForNull) other).number == number;
  }

  @Override
  public int hashCode() {
    return number;
  }
}
