package planted;

/** P106 and P107: of no use before it has a name. */
public class Late {
  private String name;

  public void setName(String name) {
    if (name == null) {
      throw new IllegalArgumentException("no name");
    }
    this.name = name;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Late && (name == null ? ((Late) other).name == null : name.equals(((Late) other).name));
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
