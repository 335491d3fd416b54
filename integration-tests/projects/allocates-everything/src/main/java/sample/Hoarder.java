package sample;

import java.util.ArrayList;
import java.util.List;

/** Takes all the memory it can get. */
public class Hoarder {
  private static final List<byte[]> KEPT = new ArrayList<>();
  private int boxes;

  public void keepEverything() {
    while (true) {
      KEPT.add(new byte[64 << 20]);
    }
  }

  public int put(int number) {
    if (number > 0 && number < 10) {
      boxes += number;
    }
    return boxes;
  }
}
