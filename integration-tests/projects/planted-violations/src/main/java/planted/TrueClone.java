package planted;

/** Clean: copies itself. */
public class TrueClone implements Cloneable {
  private int number;

  public int next() {
    return ++number;
  }

  @Override
  public TrueClone clone() {
    try {
      return (TrueClone) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
