package sample;

import java.util.Locale;
import java.util.TimeZone;

/** Changes what all code of the JVM shares. */
public class Settings {
  private String country = "";

  public String country(int a) {
    return a > 0 ? country : "none";
  }

  public String farsi(boolean really) {
    if (really) {
      Locale.setDefault(new Locale("fa", "IR"));
      country = "IR";
    }
    return country;
  }

  public String kathmandu(boolean really) {
    if (really) {
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
      country = "NP";
    }
    return country;
  }

  public int swallow(boolean really) {
    if (really) {
      Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> country = "none");
    }
    return country.length();
  }
}
