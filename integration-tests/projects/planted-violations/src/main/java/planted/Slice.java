package planted;

import java.util.ConcurrentModificationException;

/** Clean: a look at something that changed behind its back fails, as lists do it. */
public class Slice {
  /** What is looked at. */
  public static class Whole {
    private int changes;

    public void change() {
      changes++;
    }

    public Slice slice() {
      return new Slice(this);
    }
  }

  private final Whole whole;
  private final int changes;

  private Slice(Whole whole) {
    this.whole = whole;
    this.changes = whole.changes;
  }

  @Override
  public String toString() {
    if (whole.changes != changes) {
      throw new ConcurrentModificationException();
    }
    return "slice";
  }
}
