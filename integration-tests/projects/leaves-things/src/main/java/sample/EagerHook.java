package sample;

/** Adds a hook as soon as anything of it is used. */
public class EagerHook {
  static {
    Hook.add();
  }

  public static int minus(int a) {
    return a > 7 ? a - 7 : 7 - a;
  }
}
