package planted;

import java.util.SortedSet;
import java.util.TreeSet;

/** Clean: what cannot be compared fails, and is the fault of who asked for it. */
public class Ranking {
  private final SortedSet<Object> names;

  public Ranking() {
    this(new TreeSet<Object>());
  }

  private Ranking(SortedSet<Object> names) {
    this.names = names;
  }

  public void add(String name) {
    names.add(name == null ? "" : name);
  }

  public Ranking from(Object least) {
    return new Ranking(names.tailSet(least));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ranking && ((Ranking) other).names.equals(names);
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }

  @Override
  public String toString() {
    return names.toString();
  }
}
