package planted;

import java.util.Iterator;

/** P113: gives null at its end. */
public class NeverEnds implements Iterator<String> {
  private final int count;
  private int given;

  public NeverEnds(int count) {
    this.count = Math.max(0, Math.min(count, 3));
  }

  @Override
  public boolean hasNext() {
    return given < count;
  }

  @Override
  public String next() {
    if (given >= count) {
      return null;
    }
    return "item " + given++;
  }

  @Override
  public void remove() {
    throw new UnsupportedOperationException();
  }
}
