package sample;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Compiled at level 7 with an early JUnit 4: no lambda, no assertThrows. */
public class Basket {
  private final List<String> fruit = new ArrayList<String>();

  public void add(String name) {
    if (name == null) {
      throw new IllegalArgumentException("a fruit needs a name");
    }
    fruit.add(name);
  }

  public String first(Comparator<String> order) {
    String best = null;
    for (String name : fruit) {
      if (best == null || order.compare(name, best) < 0) {
        best = name;
      }
    }
    return best;
  }

  public int size() {
    return fruit.size();
  }
}
