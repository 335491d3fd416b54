package inputs;

/** An inner class, whose objects belong to another. */
public class Tree {
  private int leaves;

  /** Needs a tree around it. */
  public class Leaf {
    private final boolean isRed;

    public Leaf(boolean isRed) {
      this.isRed = isRed;
      leaves++;
    }
  }

  public String pick(Leaf leaf) {
    return leaf.isRed && leaves > 1 ? "reached a red leaf of several" : "other";
  }
}
