package inputs;

import java.io.IOException;

/** A functional interface of the program's own, which throws. */
public class Cache {
  /** May fail. */
  @FunctionalInterface
  public interface Loader {
    String load(String key) throws IOException;
  }

  private final Loader loader;

  public Cache(Loader loader) {
    this.loader = loader;
  }

  public String get(String key) {
    try {
      String value = loader.load(key);
      return value.length() > 3 ? "reached a loaded value" : "short";
    } catch (IOException e) {
      return "reached a failed load";
    }
  }
}
