package io.palus.agent;

import java.util.Arrays;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * Which texts and numbers are not recorded: those that hold or are a value of the environment, a
 * value of a property that is like a secret, a known form of token, or what the options say. The
 * engine has the same rules ({@code native/engine/src/secrets.rs}); both are held to {@code
 * native/engine/tests/secrets.txt}.
 *
 * <p>Test runners set properties after the agent has started, so these are looked at again before
 * each test.
 */
final class Secrets {
  private static final int SHORTEST = 4;
  private static final int SHORTEST_INSIDE = 8;
  static final int SHORTEST_PART = 6;

  private static volatile Secrets current = new Secrets(new Values());
  private static Values collected = new Values();
  private static final Map<String, Object> SEEN = new HashMap<>();

  /** The JVM's, as they were found last. */
  private static volatile Properties properties;

  private final Set<String> whole;
  private final String[] parts;
  private final SecretNumbers numbers;

  /** What no text may hold, by a hash of its first three characters. */
  private final String[][] inside = new String[4096][];

  private Secrets(Values values) {
    whole = new HashSet<>(values.whole);
    parts = values.secrets.toArray(new String[0]);
    numbers = new SecretNumbers(values.all());
    for (String value : values.inside()) {
      int start = start(value, 0);
      String[] known = inside[start] == null ? new String[0] : inside[start];
      inside[start] = Arrays.copyOf(known, known.length + 1);
      inside[start][known.length] = value;
    }
  }

  /**
   * Begins with the environment, the properties and the texts that the options name.
   *
   * @param places where properties hold a secret, whatever their names say
   */
  static void open(List<String> texts, Map<String, int[]> places, Map<String, String> environment) {
    synchronized (SEEN) {
      collected = new Values();
      collected.places.putAll(places);
      SEEN.clear();
      collected.others.addAll(texts);
      for (Map.Entry<String, String> variable : environment.entrySet()) {
        collected.variable(variable.getKey(), variable.getValue());
      }
      current = new Secrets(collected);
    }
    refresh();
  }

  /** Takes these names and values for properties. */
  static void know(List<String[]> pairs) {
    synchronized (SEEN) {
      for (String[] pair : pairs) {
        collected.property(pair[0], pair[1]);
      }
      current = new Secrets(collected);
    }
  }

  static Secrets current() {
    return current;
  }

  /** Looks at properties that have been set since. */
  static void refresh() {
    if (!AccessChecks.areMade()) {
      properties = System.getProperties();
    }
    Properties known = properties;
    if (known == null || known.getClass() != Properties.class) {
      return; // Its methods would be code of the program.
    }
    // One by one: from Java 9 on this does not wait for somebody who has locked the properties.
    Map<Object, Object> entries = new HashMap<>();
    for (Enumeration<?> keys = known.keys(); keys.hasMoreElements(); ) {
      Object key = keys.nextElement();
      if (key instanceof String) {
        entries.put(key, known.get(key));
      }
    }
    synchronized (SEEN) {
      int before = collected.secrets.size();
      for (Map.Entry<Object, Object> entry : entries.entrySet()) {
        String name = (String) entry.getKey();
        Object value = entry.getValue();
        if (value instanceof String && SEEN.put(name, value) != value) {
          collected.property(name, (String) value);
        }
      }
      if (collected.secrets.size() != before) {
        current = new Secrets(collected);
      }
    }
  }

  /** True for a number that is not recorded. */
  boolean holds(long number) {
    return numbers.hold(number);
  }

  boolean holds(float number) {
    return numbers.hold(number);
  }

  boolean holds(double number) {
    return numbers.hold(number);
  }

  /** True for a text that is not recorded. */
  boolean holds(String text) {
    int length = text.length();
    if (length < 3) {
      return false;
    }
    if (whole.contains(text)) {
      return true;
    }
    if (isInside(text) || SecretForms.hasToken(text) || hasPart(text)) {
      return true;
    }
    String line = SecretForms.unfolded(text);
    return line != null && isInside(line);
  }

  private boolean isInside(String text) {
    for (int i = 0; i < text.length() - 2; i++) {
      String[] values = inside[start(text, i)];
      if (values != null) {
        for (String value : values) {
          if (text.startsWith(value, i)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean hasPart(String text) {
    for (String secret : parts) {
      if (hasHalf(text, secret)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether half of a secret, in one piece, is a text, or stands in it and has a digit: words stand
   * in many texts.
   */
  private static boolean hasHalf(String text, String secret) {
    int least = Math.max(SHORTEST_PART, (secret.length() + 1) / 2);
    // Each piece of this length has one of these places.
    for (int at = least - 1; at < text.length(); at += least) {
      char there = text.charAt(at);
      for (int of = secret.indexOf(there); of >= 0; of = secret.indexOf(there, of + 1)) {
        int from = 0;
        while (from < Math.min(at, of)
            && text.charAt(at - from - 1) == secret.charAt(of - from - 1)) {
          from++;
        }
        int to = 1;
        while (at + to < text.length()
            && of + to < secret.length()
            && text.charAt(at + to) == secret.charAt(of + to)) {
          to++;
        }
        boolean isKnown = from + to == text.length() || hasDigit(text, at - from, at + to);
        if (from + to >= least && isKnown) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean hasDigit(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) >= '0' && text.charAt(i) <= '9') {
        return true;
      }
    }
    return false;
  }

  private static int start(String text, int at) {
    return (text.charAt(at) * 31 + text.charAt(at + 1)) * 31 + text.charAt(at + 2) & 0xfff;
  }

  /** For tests: what holds with one variable and one property. */
  static Secrets of(Map<String, String> variables, Map<String, String> properties) {
    Values values = new Values();
    variables.forEach(values::variable);
    properties.forEach(values::property);
    return new Secrets(values);
  }

  /** What is collected. */
  private static final class Values {
    final Map<String, int[]> places = new HashMap<>();
    final Set<String> secrets = new HashSet<>();
    final Set<String> others = new HashSet<>();
    final Set<String> whole = new HashSet<>();

    void variable(String name, String value) {
      property(name, value);
      if (!SecretForms.isSecretLike(name, value)) {
        other(value);
      }
    }

    void property(String name, String value) {
      int[] place = places.get(name);
      if (place != null && place[1] <= value.length()) {
        secret(value.substring(place[0], place[1]), true);
      }
      if (SecretForms.isSecretLike(name, value)) {
        secret(value, SecretForms.isSecretName(name) || value.trim().indexOf(' ') < 0);
      }
      SecretForms.embedded(value).forEach(part -> secret(part, true));
    }

    /** Where a value is more than the secret, such as options, its pieces are not. */
    private void secret(String text, boolean alone) {
      String value = text.trim();
      if (value.length() < SHORTEST || SecretForms.isCommon(value)) {
        return;
      }
      secrets.add(value);
      number(value);
      for (String form : SecretUuids.forms(value)) {
        if (!SecretForms.isCommon(form)) {
          secrets.add(form);
          number(form);
        }
      }
      if (alone) {
        SecretForms.pieces(value).forEach(this::other);
      }
    }

    private void other(String text) {
      String value = text.trim();
      if (value.length() < SHORTEST || SecretForms.isCommon(value)) {
        return;
      }
      add(value);
      for (String form : SecretUuids.forms(value)) {
        if (!SecretForms.isCommon(form)) {
          add(form);
        }
      }
    }

    private void add(String value) {
      (value.length() < SHORTEST_INSIDE ? whole : others).add(value);
      number(value);
    }

    /** A number as text of a double. */
    private void number(String value) {
      String text = SecretNumbers.asDouble(value);
      if (text != null) {
        (text.length() < SHORTEST_INSIDE ? whole : others).add(text);
      }
    }

    Set<String> all() {
      Set<String> all = new HashSet<>(secrets);
      all.addAll(others);
      all.addAll(whole);
      return all;
    }

    Set<String> inside() {
      Set<String> all = new HashSet<>(secrets);
      for (String secret : secrets) {
        all.addAll(SecretForms.encoded(secret));
        if (secret.length() >= SHORTEST_PART) {
          all.add(secret.toUpperCase(Locale.ROOT));
          all.add(secret.toLowerCase(Locale.ROOT));
        }
      }
      all.addAll(others);
      others.forEach(value -> all.addAll(SecretForms.encoded(value)));
      return all;
    }
  }
}
