package planted;

/** Clean: asks for its name where it is made, and breaks only for null. */
public class Named {
  private final String name;

  public Named(String name) {
    this.name = name;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Named && name.equals(((Named) other).name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name.trim();
  }
}
