package planted;

/** P111: hands itself out as its copy. */
public class SameClone implements Cloneable {
  private int number;

  public int next() {
    return ++number;
  }

  @Override
  public SameClone clone() {
    return this;
  }
}
