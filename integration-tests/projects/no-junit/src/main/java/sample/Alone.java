package sample;

/** A project without any test library. */
public class Alone {
  public int twice(int number) {
    return 2 * number;
  }
}
