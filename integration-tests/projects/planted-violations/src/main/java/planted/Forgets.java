package planted;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** P115: says that it took what it did not. */
public class Forgets extends AbstractCollection<Object> {
  private final List<Object> items = new ArrayList<Object>();

  @Override
  public boolean add(Object item) {
    return item != null || items.add(item);
  }

  @Override
  public Iterator<Object> iterator() {
    return items.iterator();
  }

  @Override
  public int size() {
    return items.size();
  }
}
