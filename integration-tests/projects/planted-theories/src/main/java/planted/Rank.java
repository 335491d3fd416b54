package planted;

/** Clean: only ordered; that equals is left as it is breaks no rule. */
public class Rank implements Comparable<Rank> {
  private final int rank;

  public Rank(int rank) {
    this.rank = rank;
  }

  public Rank again() {
    return new Rank(rank);
  }

  @Override
  public int compareTo(Rank other) {
    return Integer.compare(rank, other.rank);
  }
}
