package sample;

/** Knows how its JVM was started. */
public class Flag {
  public boolean isSet(String name) {
    return name != null && name.equals(System.getProperty("sample.flag"));
  }
}
