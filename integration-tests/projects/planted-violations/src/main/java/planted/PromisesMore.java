package planted;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** P112: promises an element that it does not have. */
public class PromisesMore implements Iterator<String> {
  private final int count;
  private int given;

  public PromisesMore(int count) {
    this.count = Math.max(0, Math.min(count, 3));
  }

  @Override
  public boolean hasNext() {
    return given <= count;
  }

  @Override
  public String next() {
    if (given >= count) {
      throw new NoSuchElementException();
    }
    return "item " + given++;
  }

  @Override
  public void remove() {
    throw new UnsupportedOperationException();
  }
}
