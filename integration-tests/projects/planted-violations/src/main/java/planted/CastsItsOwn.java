package planted;

/** P106: takes what it holds for what it is not. */
public class CastsItsOwn {
  private Object label = "none";

  public void number(int number) {
    label = number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CastsItsOwn && ((CastsItsOwn) other).label.equals(label);
  }

  @Override
  public int hashCode() {
    return ((String) label).length();
  }
}
