package city;

/** Once opened, it is open for all of its JVM. */
public class Gate {
  private static boolean isOpen;

  public static String open() {
    isOpen = true;
    return "opened";
  }

  public static boolean isOpen() {
    return isOpen;
  }
}
