package planted;

import java.io.Serializable;

/** Clean: can be written and read, with all it holds. */
public class Counter implements Serializable {
  private static final long serialVersionUID = 1;
  private final int[] counts = new int[2];

  public int next(boolean even) {
    return ++counts[even ? 0 : 1];
  }
}
