package sample;

/** Recursion without an end for negative heights. */
public class Tower {
  public int height(int floors) {
    if (floors == 0) {
      return 0;
    }
    return 1 + height(floors - 1);
  }

  public long sum(int floors) {
    try {
      return floors == 0 ? 0 : floors + sum(floors - 1);
    } catch (StackOverflowError overflow) {
      return -1;
    }
  }
}
