package sample;

import java.util.HashMap;
import java.util.Map;

/** What was read. */
public class Summary {
  private long rows;
  private long fields;
  private final Map<String, Integer> words = new HashMap<>();

  public void count(Row row) {
    rows++;
    fields += row.size();
    for (int i = 0; i < row.size(); i++) {
      words.merge(row.get(i).text(), 1, Integer::sum);
    }
  }

  public long total() {
    return rows + fields + words.size();
  }
}
