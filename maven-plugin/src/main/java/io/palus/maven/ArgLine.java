package io.palus.maven;

import java.util.ArrayList;
import java.util.List;

/**
 * The one-line form of JVM arguments that Surefire takes: separated by blanks, quoted where they
 * hold any.
 *
 * <p>Written here, since {@code CommandLineUtils} of maven-shared-utils, by which Surefire splits,
 * would be the only library that this plugin brings into a build beside {@code host}, for one loop
 * over characters.
 */
final class ArgLine {
  private ArgLine() {}

  /** The arguments of a line. */
  static List<String> split(String line) {
    List<String> arguments = new ArrayList<>();
    StringBuilder argument = new StringBuilder();
    boolean inside = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          argument.append(c);
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
        inside = true;
      } else if (Character.isWhitespace(c)) {
        if (inside) {
          arguments.add(argument.toString());
          argument.setLength(0);
          inside = false;
        }
      } else {
        argument.append(c);
        inside = true;
      }
    }
    if (inside) {
      arguments.add(argument.toString());
    }
    return arguments;
  }

  /** One argument as it has to stand in a line. */
  static String quote(String argument) {
    boolean plain =
        argument.chars().noneMatch(c -> Character.isWhitespace(c) || c == '"' || c == '\'');
    if (plain) {
      return argument;
    }
    // There is no escape: an argument with both kinds of quotes cannot be written, and no path of
    // ours has any.
    char quote = argument.indexOf('"') < 0 ? '"' : '\'';
    return quote + argument + quote;
  }

  /** The line with arguments added at its end. */
  static String append(String line, String arguments) {
    return line.isEmpty() ? arguments : arguments.isEmpty() ? line : line + " " + arguments;
  }
}
