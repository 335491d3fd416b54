package inputs;

import java.util.List;
import java.util.Map;

/** Type arguments: a list as the value of a map. */
public class Marks {
  public String best(Map<String, List<Integer>> marks) {
    for (List<Integer> some : marks.values()) {
      for (Integer mark : some) {
        if (mark > 90) {
          return "reached a mark in a list in a map";
        }
      }
    }
    return "none";
  }
}
