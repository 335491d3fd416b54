package planted;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** P114: counts one more than it has. */
public class CountsOneMore extends AbstractCollection<Object> {
  private final List<Object> items = new ArrayList<Object>();

  @Override
  public boolean add(Object item) {
    return items.add(item);
  }

  @Override
  public Iterator<Object> iterator() {
    return items.iterator();
  }

  @Override
  public int size() {
    return items.size() + 1;
  }
}
