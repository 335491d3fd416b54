package io.palus.agent;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Options with a name that the agents of this JVM have: an agent may hand on a secret among them.
 * They stand on the command line, where the system shows it, and in the variables from which a JVM
 * takes more arguments.
 */
final class AgentOptions {
  private static final String AGENT = "-javaagent:";
  private static final File COMMAND_LINE = new File("/proc/self/cmdline");
  private static final String[] VARIABLES = {
    "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"
  };

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
        add(options, argument);
      }
    } catch (IOException e) {
      options.clear(); // not on this system
    }
    for (String variable : VARIABLES) {
      String arguments = environment.get(variable);
      for (String argument : arguments == null ? new String[0] : arguments.split("\\s+")) {
        add(options, argument);
      }
    }
    return options;
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
