package planted;

import java.util.AbstractCollection;
import java.util.Collections;
import java.util.Iterator;

/** Clean: refuses what a collection may refuse. */
public class FixedItems extends AbstractCollection<String> {
  private final String only;

  public FixedItems(String only) {
    this.only = only;
  }

  @Override
  public Iterator<String> iterator() {
    return Collections.singleton(only).iterator();
  }

  @Override
  public int size() {
    return 1;
  }
}
