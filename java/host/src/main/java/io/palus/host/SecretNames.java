package io.palus.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which properties of a test JVM are taken for secrets by their names. The engine, which alone gets
 * their values, knows more signs and passes no secret on.
 */
public final class SecretNames {
  private static final String[] PARTS = {
    "password",
    "passwd",
    "passphrase",
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

  /** Ends of names of a build's own properties: those that hardly anything else has. */
  private static final List<String> PLAIN =
      List.of(
          "password",
          "passwd",
          "passphrase",
          "pwd",
          "secret",
          "token",
          "credentials",
          "apikey",
          "secretkey",
          "accesskey",
          "privatekey");

  /** Variables in which shells keep the folder they are in, and the one before. */
  private static final Set<String> OF_SHELLS = new HashSet<>(Arrays.asList("PWD", "OLDPWD"));

  /** Words of names: parts of many others too. */
  private static final Set<String> WORDS =
      new HashSet<>(Arrays.asList("pass", "pw", "pat", "jwt", "bearer", "salt"));

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

  /**
   * Those of a build's properties whose names say that they are secrets. A build has many with
   * names such as {@code sonar.projectKey}, {@code author} and {@code session.timeout}: these are
   * none.
   */
  public static Map<String, String> among(Map<?, ?> properties) {
    Map<String, String> secrets = new TreeMap<>();
    properties.forEach(
        (name, value) -> {
          if (name instanceof String && value instanceof String && isPlainly((String) name)) {
            secrets.put((String) name, (String) value);
          }
        });
    return secrets;
  }

  /** Whether a property of the build that is called so is a secret. */
  public static boolean isPlainly(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[-_.]", "");
    return PLAIN.stream().anyMatch(plain::endsWith);
  }

  /**
   * Where properties among these arguments of a JVM hold one of these secrets: by the property's
   * name, from where to where in its value.
   */
  public static Map<String, int[]> handedOn(
      Map<String, String> secrets, Iterable<String> arguments) {
    Map<String, int[]> places = new TreeMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (!argument.startsWith("-D") || equals < 0) {
        continue;
      }
      String value = argument.substring(equals + 1);
      for (String secret : secrets.values()) {
        int at = secret.length() < SHORTEST ? -1 : value.indexOf(secret);
        if (at >= 0) {
          places.put(argument.substring(2, equals), new int[] {at, at + secret.length()});
        }
      }
    }
    return places;
  }

  /**
   * Name and value of each that one of these arguments holds, as the engine is told of a build's
   * properties: the others reach no code that Palus runs.
   */
  public static List<String> pairs(Map<String, String> secrets, Iterable<String> arguments) {
    List<String> pairs = new ArrayList<>();
    secrets.forEach(
        (name, value) -> {
          if (!handedOn(Map.of(name, value), arguments).isEmpty()) {
            pairs.add(name + "=" + value);
          }
        });
    return pairs;
  }

  /** An argument as logs show it: a property without its value, an agent without its options. */
  static String forLogs(String argument) {
    int equals = argument.indexOf('=');
    boolean hasValue = argument.startsWith("-D") || argument.startsWith("-javaagent:");
    return hasValue && equals > 0 ? argument.substring(0, equals + 1) + "***" : argument;
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

  /** Whether the options of an agent give it a secret, by the name of one. */
  static boolean areAmong(String options) {
    String[] each = options.split("[,;&|?\\s\"']");
    return Arrays.stream(each).anyMatch(option -> isSecret(option.split("[=:]", 2)[0]));
  }

  /** Whether a property of this name is taken for a secret. */
  public static boolean isSecret(String name) {
    if (OF_SHELLS.contains(name)) {
      return false;
    }
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[-_.]", "");
    for (String part : PARTS) {
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
}
