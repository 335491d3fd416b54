package io.palus.agent;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
    for (String option : argument.substring(equals + 1).split("[,;&|?\\s\"']")) {
      String[] pair = option.split("[=:]", 2);
      if (pair.length == 2) {
        options.add(pair);
      }
    }
  }
}
