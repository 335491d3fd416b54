package inputs;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Two type variables, one bounded by the other. */
public class Chain<K, V extends Collection<? super K>> {
  private final Map<K, V> links = new HashMap<>();

  public void link(K key, V values) {
    links.put(key, values);
  }

  public String follow(K key) {
    V values = links.get(key);
    return values != null && values.contains(key) ? "reached a link to itself" : "end";
  }
}
