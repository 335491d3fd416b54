package planted;

import java.util.AbstractCollection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.TreeSet;

/** Clean: an order that compares badly is the fault of who gave it. */
public class Sorted extends AbstractCollection<String> {
  private final TreeSet<String> items;

  public Sorted(Comparator<String> order) {
    this.items = new TreeSet<String>(order);
  }

  @Override
  public boolean add(String item) {
    return items.add(item);
  }

  @Override
  public boolean contains(Object item) {
    return items.contains(item);
  }

  @Override
  public Iterator<String> iterator() {
    return items.iterator();
  }

  @Override
  public int size() {
    return items.size();
  }
}
