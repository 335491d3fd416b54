package io.palus.agent;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Options with a name that the agents of this JVM have: an agent may hand on a secret among them.
 * They stand on the command line, where the system shows it, in files of arguments that it names,
 * and in the variables from which a JVM takes more arguments.
 */
final class AgentOptions {
  private static final String AGENT = "-javaagent:";
  private static final File COMMAND_LINE = new File("/proc/self/cmdline");
  private static final String[] VARIABLES = {
    "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"
  };

  private static final String OPTIONS_FILE = "-XX:VMOptionsFile=";

  /** Files of more bytes are none that anybody wrote. */
  private static final int LARGEST = 1 << 20;

  /** A name, in quotes or not, with the sign behind it. */
  private static final Pattern NAME = Pattern.compile("([\\w.-]+)[\"']?\\s*[=:]");

  /** What an option may end with. */
  private static final Pattern SEPARATOR = Pattern.compile("[,;&|?}\\s\"']");

  /** So many of these may be part of a value. */
  private static final int MOST_ENDS = 8;

  private AgentOptions() {}

  /** Names and values, in turn. */
  static List<String[]> ofThisJvm(Map<String, String> environment) {
    List<String[]> options = new ArrayList<>();
    try {
      byte[] line = Files.readAllBytes(COMMAND_LINE.toPath());
      for (String argument : new String(line, StandardCharsets.UTF_8).split("\0")) {
        addAll(options, argument);
      }
    } catch (IOException e) {
      options.clear(); // not on this system
    }
    for (String variable : VARIABLES) {
      String arguments = environment.get(variable);
      for (String argument : arguments == null ? new String[0] : arguments.split("\\s+")) {
        addAll(options, argument);
      }
    }
    return options;
  }

  /** Adds those of an argument, or of each in a file that it names. */
  static void addAll(List<String[]> options, String argument) {
    String name = fileOf(argument);
    if (name == null) {
      add(options, argument);
      return;
    }
    try {
      Path file = Paths.get(name);
      if (Files.isRegularFile(file) && Files.size(file) <= LARGEST) {
        for (String word : words(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))) {
          add(options, word);
        }
      }
    } catch (IOException | InvalidPathException e) {
      add(options, argument); // no file of arguments
    }
  }

  /**
   * The words of a file of arguments, without the quotes around them or their parts. A comment ends
   * with its line; so does what is quoted, but for a backslash before the line's end.
   */
  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      boolean endsLine = letter == '\n' || letter == '\r';
      if (quote == 0 && word.length() == 0 && letter == '#') {
        i = endOfLine(text, i);
      } else if (endsLine || quote == 0 && Character.isWhitespace(letter)) {
        words.add(word.toString());
        word.setLength(0);
        quote = 0;
      } else if (quote == 0 ? letter == '"' || letter == '\'' : letter == quote) {
        quote = quote == 0 ? letter : 0;
      } else if (quote != 0 && letter == '\\' && i + 1 < text.length()) {
        i = escaped(text, i + 1, word);
      } else {
        word.append(letter);
      }
    }
    words.add(word.toString());
    return words;
  }

  private static int endOfLine(String text, int from) {
    int i = from;
    while (i < text.length() && text.charAt(i) != '\n' && text.charAt(i) != '\r') {
      i++;
    }
    return i;
  }

  /** Adds the letter behind a backslash; returns the last place that belongs to it. */
  private static int escaped(String text, int at, StringBuilder word) {
    char letter = text.charAt(at);
    if (letter != '\n' && letter != '\r') {
      word.append(letter);
      return at;
    }
    int next = at;
    while (next + 1 < text.length() && Character.isWhitespace(text.charAt(next + 1))) {
      next++;
    }
    return next;
  }

  /** The file of arguments that an argument names, or null. */
  private static String fileOf(String argument) {
    if (argument.startsWith(OPTIONS_FILE)) {
      return argument.substring(OPTIONS_FILE.length());
    }
    return argument.startsWith("@") ? argument.substring(1) : null;
  }

  /** Adds those of one argument. */
  static void add(List<String[]> options, String argument) {
    int equals = argument.indexOf('=');
    if (!argument.startsWith(AGENT) || equals < 0) {
      return;
    }
    Matcher name = NAME.matcher(argument).region(equals + 1, argument.length());
    while (name.find()) {
      addValues(options, name.group(1), argument.substring(name.end()));
    }
  }

  /**
   * Adds what may be the value: the rest up to each of the first separators, for one may be part of
   * it, and as a whole; and what quotes hold.
   */
  private static void addValues(List<String[]> options, String name, String rest) {
    String value = rest.replaceFirst("^\\s*[\"']", "");
    Matcher end = SEPARATOR.matcher(value);
    for (int i = 0; i < MOST_ENDS && end.find(); i++) {
      options.add(new String[] {name, value.substring(0, end.start())});
    }
    options.add(new String[] {name, value});
  }
}
