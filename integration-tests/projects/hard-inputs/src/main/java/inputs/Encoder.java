package inputs;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A charset and a locale. */
public class Encoder {
  public String encode(Charset charset, Locale locale) {
    if (charset.equals(StandardCharsets.UTF_16)) {
      return "reached a wide charset";
    }
    return locale.getLanguage().equals("tr") ? "reached a language" : "plain";
  }
}
