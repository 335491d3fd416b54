package sample;

import java.util.ArrayList;
import java.util.List;

public class Ledger {
  private final List<String> entries = new ArrayList<>();

  public void enter(String text) {
    if (text.isEmpty()) {
      entries.clear();
    } else {
      entries.add(text);
    }
  }

  public int size() {
    return entries.size();
  }

  public String last() {
    return entries.isEmpty() ? "none" : entries.get(entries.size() - 1);
  }
}
