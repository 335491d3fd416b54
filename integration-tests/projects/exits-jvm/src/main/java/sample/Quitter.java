package sample;

/** Methods that would end the JVM. */
public class Quitter {
  private int asked;

  public void exit(int status) {
    asked++;
    System.exit(status);
  }

  public void halt() {
    Runtime.getRuntime().halt(3);
  }

  public boolean wantsOut(int level) {
    return asked + level > 3;
  }
}
