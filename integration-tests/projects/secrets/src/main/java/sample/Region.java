package sample;

/** Asks for a variable that the build sets for its tests alone. */
public class Region {
  public String name() {
    return System.getenv("SAMPLE_REGION") == null ? "none" : "some";
  }

  public int count(int sites) {
    return name().isEmpty() ? -1 : sites + 1;
  }
}
