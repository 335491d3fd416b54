package io.palus.agent;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What is like a secret: names, known forms of tokens, texts without any order. */
public final class SecretForms {
  private static final String[] NAMES = {
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pswd",
    "pwd",
    "secret",
    "token",
    "key",
    "credential",
    "auth",
    "session",
    "cookie",
    "dsn",
    "connectionstring",
  };

  /** Variables in which shells keep the folder they are in, and the one before. */
  private static final Set<String> OF_SHELLS = new HashSet<>(Arrays.asList("PWD", "OLDPWD"));

  /** Words of names: parts of many others too. */
  private static final Set<String> WORDS =
      new HashSet<>(Arrays.asList("pass", "pw", "psw", "pat", "jwt", "otp", "bearer", "salt"));

  /** Values that tell nobody anything, wherever they stand. */
  private static final Set<String> COMMON =
      new HashSet<>(
          Arrays.asList(
              ("true false none null auto enabled disabled default unset basic test root user admin"
                      + " localhost linux xterm dumb production development staging local build"
                      + " runner jenkins wayland c.utf-8 c.utf8 en_us.utf-8 posix info debug warn"
                      + " error trace always never java maven gradle main master vim nano less bash"
                      + " /bin/sh /bin/bash /root /tmp /home /usr 127.0.0.1 0.0.0.0 utf-8 0000"
                      + " 1000 100000 1000000 2147483647 9223372036854775807")
                  .split(" ")));

  /** Beginning, and how many characters follow at least. */
  private static final Object[][] FORMS = {
    {"AKIA", 16},
    {"ASIA", 16},
    {"ghp_", 16},
    {"gho_", 16},
    {"ghu_", 16},
    {"ghs_", 16},
    {"ghr_", 16},
    {"github_pat_", 16},
    {"glpat-", 10},
    {"xoxa-", 10},
    {"xoxb-", 10},
    {"xoxp-", 10},
    {"xoxr-", 10},
    {"xoxs-", 10},
    {"sk-", 16},
    {"sk_live_", 10},
    {"sk_test_", 10},
    {"AIza", 30},
    {"eyJ", 8},
  };

  private static final String DIGITS = "0123456789ABCDEF";
  private static final String SMALL_DIGITS = "0123456789abcdef";

  /** What stays in an address: in forms, by RFC 3986, by JavaScript's encodeURIComponent. */
  private static final String[] KEPT = {"-_.*", "-_.~", "-_.~!*'()"};

  private static final String ARMOUR = "-----BEGIN";
  private static final int LONG = 20;
  private static final double ENTROPY = 4;

  private SecretForms() {}

  /** Whether a known form of token stands in a text. */
  static boolean hasToken(String text) {
    for (int i = 0; i < text.length() - 9; i++) {
      char c = text.charAt(i);
      // All of them begin with one of these.
      boolean mayBegin = c == 'A' || c == 'g' || c == 'x' || c == 's' || c == 'e' || c == '-';
      if (mayBegin
          && (i == 0 || !isAlphanumeric(text.charAt(i - 1)))
          && (text.startsWith(ARMOUR, i) || isToken(text, i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isToken(String text, int at) {
    for (Object[] form : FORMS) {
      String start = (String) form[0];
      if (!text.startsWith(start, at)) {
        continue;
      }
      boolean capitals = start.endsWith("IA");
      boolean digits = false;
      int i = at + start.length();
      for (; i < text.length(); i++) {
        char c = text.charAt(i);
        if (capitals ? !isCapital(c) && !isDigit(c) : !isAlphanumeric(c) && c != '_' && c != '-') {
          break;
        }
        digits |= isDigit(c);
      }
      // A JSON web token has a dot; other words joined by hyphens are no token.
      boolean goesOn = start.equals("eyJ") ? i < text.length() && text.charAt(i) == '.' : digits;
      if (goesOn && i - at - start.length() >= (Integer) form[1]) {
        return true;
      }
    }
    return false;
  }

  /**
   * The pieces between the separators of a secret that are no words: they hold a digit, or a
   * capital after a small letter. Of paths and addresses there are none, as their pieces are names.
   */
  static List<String> pieces(String secret) {
    List<String> pieces = new ArrayList<>();
    if (secret.startsWith("/") || secret.contains("://") || secret.contains(":\\")) {
      return pieces;
    }
    for (String piece : secret.split("[^A-Za-z0-9]+")) {
      boolean small = false;
      boolean noWord = false;
      for (char c : piece.toCharArray()) {
        noWord |= isDigit(c) || small && isCapital(c);
        small |= !isDigit(c) && !isCapital(c);
      }
      if (noWord && piece.length() >= Secrets.SHORTEST_PART && !isCommon(piece)) {
        pieces.add(piece);
      }
    }
    return pieces;
  }

  static boolean isSecretLike(String name, String value) {
    return isSecretName(name) || hasToken(value) || isWithoutOrder(value);
  }

  /**
   * Whether a variable or property of this name is taken for a secret.
   *
   * @param name any text
   * @return true if so
   */
  public static boolean isSecretName(String name) {
    if (OF_SHELLS.contains(name)) {
      return false;
    }
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[-_.]", "");
    for (String part : NAMES) {
      if (plain.contains(part)) {
        return true;
      }
    }
    for (String word : name.split("[^A-Za-z0-9]|(?<=[^A-Z])(?=[A-Z])")) {
      if (WORDS.contains(word.toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  /** True for values that are too common to be anybody's secret, and for short numbers. */
  static boolean isCommon(String value) {
    return COMMON.contains(value.toLowerCase(Locale.ROOT))
        || value.length() < 6 && value.chars().allMatch(c -> isDigit((char) c));
  }

  /**
   * Whether there is a long run of capitals, small letters and digits with no order. Paths and
   * sentences have none: they are cut at slashes, dots and blanks.
   */
  private static boolean isWithoutOrder(String value) {
    if (value.length() < LONG) {
      return false;
    }
    for (String run : value.split("[^A-Za-z0-9_+=-]", -1)) {
      if (run.length() >= LONG
          && run.chars().anyMatch(c -> isCapital((char) c))
          && run.chars().anyMatch(c -> c >= 'a' && c <= 'z')
          && run.chars().anyMatch(c -> isDigit((char) c))
          && entropy(run) >= ENTROPY) {
        return true;
      }
    }
    return false;
  }

  private static double entropy(String run) {
    int[] counts = new int[128];
    for (int i = 0; i < run.length(); i++) {
      counts[run.charAt(i)]++;
    }
    double bits = 0;
    for (int count : counts) {
      if (count > 0) {
        double share = (double) count / run.length();
        bits -= share * Math.log(share) / Math.log(2);
      }
    }
    return bits;
  }

  /** Secrets inside a value. */
  static List<String> embedded(String value) {
    return SecretsInside.of(value);
  }

  /**
   * What an encoder makes of a value, or of a text that holds it: Base64 without what depends on
   * the neighbours there, hexadecimal, the encodings for addresses, escapes; and the same of what
   * the value is decoded.
   */
  static Set<String> encoded(String value) {
    Set<String> forms = encodedAsWritten(value);
    for (String text : SecretEscapes.decoded(value)) {
      forms.add(text);
      forms.addAll(encodedAsWritten(text));
    }
    return forms;
  }

  private static Set<String> encodedAsWritten(String value) {
    Set<String> forms = new HashSet<>();
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    for (int offset = 0; offset < 3; offset++) {
      byte[] shifted = new byte[offset + bytes.length];
      System.arraycopy(bytes, 0, shifted, offset, bytes.length);
      String text = Base64.getEncoder().withoutPadding().encodeToString(shifted);
      String form = text.substring((offset * 8 + 5) / 6, shifted.length * 8 / 6);
      forms.add(form);
      forms.add(form.replace('+', '-').replace('/', '_'));
      forms.add(percent(form.getBytes(StandardCharsets.US_ASCII), "", DIGITS));
    }
    StringBuilder hexadecimal = new StringBuilder();
    for (byte b : bytes) {
      hexadecimal.append(DIGITS.charAt(b >> 4 & 15)).append(DIGITS.charAt(b & 15));
    }
    forms.add(hexadecimal.toString());
    forms.add(hexadecimal.toString().toLowerCase(Locale.ROOT));
    forms.removeIf(form -> form.length() < 4);
    for (String kept : KEPT) {
      for (String digits : new String[] {DIGITS, SMALL_DIGITS}) {
        String form = percent(bytes, kept, digits);
        for (String each : new String[] {form, form.replace("%20", "+")}) {
          forms.add(each);
          forms.add(each.replace("%", "%25"));
        }
      }
    }
    forms.addAll(SecretEscapes.escaped(value));
    return forms;
  }

  private static String percent(byte[] bytes, String kept, String digits) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      if (isAlphanumeric((char) b) || kept.indexOf(b) >= 0) {
        text.append((char) b);
      } else {
        text.append('%').append(digits.charAt(b >> 4 & 15)).append(digits.charAt(b & 15));
      }
    }
    return text.toString();
  }

  /**
   * A text of several lines in one, as Base64 is folded in mails and keys; null for a text of one
   * line.
   */
  static String unfolded(String text) {
    if (text.indexOf('\n') < 0 && text.indexOf('\r') < 0) {
      return null;
    }
    StringBuilder line = new StringBuilder();
    boolean begins = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      begins = c == '\n' || c == '\r' || begins && (c == ' ' || c == '\t');
      if (!begins) {
        line.append(c);
      }
    }
    return line.toString();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isCapital(char c) {
    return c >= 'A' && c <= 'Z';
  }

  private static boolean isAlphanumeric(char c) {
    return isDigit(c) || isCapital(c) || c >= 'a' && c <= 'z';
  }
}
