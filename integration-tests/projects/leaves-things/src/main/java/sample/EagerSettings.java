package sample;

import java.util.Locale;

/** Changes the locale as soon as anything of it is used. */
public class EagerSettings {
  static {
    Locale.setDefault(new Locale("fa", "IR"));
  }

  public static int thrice(int a) {
    return a > 100 ? 300 : a * 3;
  }
}
