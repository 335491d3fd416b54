package sample;

import java.io.File;
import java.io.IOException;

/** Leaves a file behind when the JVM ends. */
public class Hook {
  public int hang(int a) {
    if (a > 1) {
      add();
    }
    return a + 1;
  }

  static void add() {
    Runtime.getRuntime().addShutdownHook(new Thread(Hook::leave));
  }

  private static void leave() {
    try {
      new File("hook-ran").createNewFile();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
