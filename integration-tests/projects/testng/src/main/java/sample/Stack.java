package sample;

import java.util.ArrayList;
import java.util.List;

public class Stack {
  private final List<String> items = new ArrayList<>();

  public void push(String item) {
    items.add(item);
  }

  public String pop() {
    if (items.isEmpty()) {
      throw new IllegalStateException("empty");
    }
    return items.remove(items.size() - 1);
  }

  public int size() {
    return items.size();
  }
}
