package planted;

/** P103: takes null for an equal. */
public class EqualsNull {
  private final int number;

  public EqualsNull(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other == null || (other instanceof EqualsNull && ((EqualsNull) other).number == number);
  }

  @Override
  public int hashCode() {
    return number;
  }
}
