package planted;

/** P109: each of two equal ones comes after the other. */
public class AlwaysAhead implements Comparable<AlwaysAhead> {
  private final int rank;

  public AlwaysAhead(int rank) {
    this.rank = rank;
  }

  public AlwaysAhead again() {
    return new AlwaysAhead(rank);
  }

  @Override
  public int compareTo(AlwaysAhead other) {
    return rank >= other.rank ? 1 : -1;
  }
}
