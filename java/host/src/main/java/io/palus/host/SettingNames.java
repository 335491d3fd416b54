package io.palus.host;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Names of properties {@code palus.*} and of elements by which a user may have meant an option. */
final class SettingNames {
  private static final String PREFIX = "palus.";

  /** What poms keep the plugin's version in. */
  private static final String VERSION = "version";

  /** So many letters may be wrong, missing or too many in a name that was meant to be another. */
  private static final int SLIPS = 2;

  private SettingNames() {}

  /** Checks properties; those of others are passed over. */
  static void checkProperties(Iterable<String> properties, Set<String> known, Console console) {
    Set<String> names = new TreeSet<>();
    for (String property : properties) {
      if (property.startsWith(PREFIX)) {
        names.add(property.substring(PREFIX.length()));
      }
    }
    names.remove(VERSION);
    check(names, known, name -> "`" + PREFIX + name + "`", console);
  }

  /** Checks elements of a plugin's configuration. */
  static void checkElements(Iterable<String> elements, Set<String> known, Console console) {
    check(elements, known, name -> "`<" + name + ">`", console);
  }

  /**
   * Refuses a name that is nearly the one of an option, for its value would silently not count;
   * other unknown names, which may be the project's own, are told to the console.
   */
  private static void check(
      Iterable<String> names, Set<String> known, UnaryOperator<String> written, Console console) {
    for (String name : names) {
      if (known.contains(name)) {
        continue;
      }
      String nearest = nearest(name, known);
      String said = "there is no setting " + written.apply(name);
      if (distance(name, nearest) <= SLIPS) {
        String meant = "Did you mean " + written.apply(nearest) + "?";
        throw PalusException.configuration(said, meant, null);
      }
      console.line(
          Console.WARNING,
          said
              + ", so it does nothing; the nearest is "
              + written.apply(nearest)
              + ", and the manual lists all");
    }
  }

  /** The first of the names that have least to change. */
  private static String nearest(String name, Set<String> known) {
    String nearest = "";
    for (String other : new TreeSet<>(known)) {
      if (nearest.isEmpty() || distance(name, other) < distance(name, nearest)) {
        nearest = other;
      }
    }
    return nearest;
  }

  /** How many letters to insert, delete or change until one is the other, whatever their case. */
  private static int distance(String one, String other) {
    String a = one.toLowerCase(java.util.Locale.ROOT);
    String b = other.toLowerCase(java.util.Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
