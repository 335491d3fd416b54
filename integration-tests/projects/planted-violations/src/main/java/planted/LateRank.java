package planted;

/** P108: compares what is not there yet. */
public class LateRank implements Comparable<LateRank> {
  private Integer rank;

  public void setRank(int rank) {
    this.rank = rank;
  }

  @Override
  public int compareTo(LateRank other) {
    return rank.compareTo(other.rank);
  }
}
