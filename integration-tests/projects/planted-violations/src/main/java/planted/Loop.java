package planted;

/** Clean: who puts it into itself gets what they asked for. */
public class Loop {
  private Object inner = "end";

  public void setInner(Loop inner) {
    this.inner = inner == null ? "end" : inner;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Loop && inner.equals(((Loop) other).inner);
  }

  @Override
  public int hashCode() {
    return inner.hashCode();
  }

  @Override
  public String toString() {
    return "(" + inner + ")";
  }
}
