package io.palus.host;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which properties of a test JVM are taken for secrets by their names. The engine, which alone gets
 * their values, knows more signs and passes no secret on.
 */
public final class SecretNames {
  private static final String[] PARTS = {
    "password",
    "passwd",
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

  /** Shorter values stand in any text. */
  private static final int SHORTEST = 4;

  private SecretNames() {}

  /** The arguments, each secret property without its value. */
  public static List<String> withoutSecrets(Iterable<String> arguments) {
    List<String> clean = new ArrayList<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      boolean secret =
          argument.startsWith("-D") && equals > 0 && isSecret(argument.substring(2, equals));
      clean.add(secret ? argument.substring(0, equals) : argument);
    }
    return clean;
  }

  /** An argument as logs show it: a property without its value. */
  static String forLogs(String argument) {
    int equals = argument.indexOf('=');
    return argument.startsWith("-D") && equals > 0
        ? argument.substring(0, equals + 1) + "***"
        : argument;
  }

  /** A line that another program said, without what variables and properties of that kind hold. */
  static String withoutValues(String line) {
    Map<String, String> known = new HashMap<>(System.getenv());
    for (String name : System.getProperties().stringPropertyNames()) {
      known.put(name, System.getProperty(name));
    }
    String clean = forLogs(line);
    for (Map.Entry<String, String> one : known.entrySet()) {
      boolean isLong = one.getValue().length() >= SHORTEST;
      clean = isLong && isSecret(one.getKey()) ? clean.replace(one.getValue(), "***") : clean;
    }
    return clean;
  }

  /** Whether a property of this name is taken for a secret. */
  public static boolean isSecret(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[-_.]", "");
    for (String part : PARTS) {
      if (plain.contains(part)) {
        return true;
      }
    }
    return false;
  }
}
