package io.palus.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The agents among the arguments of a project's test JVM. What an agent makes of the code is what
 * written tests meet, so they are verified with it; those that measure coverage change nothing that
 * a test can see, and native ones are left out, for no guard could stand in them.
 */
public final class AgentArguments {
  private static final String AGENT = "-javaagent:";
  private static final List<String> NATIVE = List.of("-agentpath:", "-agentlib:");

  private AgentArguments() {}

  /**
   * The arguments to verify with.
   *
   * @param arguments those of the test JVM
   * @param folder where it runs, which paths of agents are relative to
   * @return a new list, in the same order, with absolute paths of agents
   */
  public static List<String> kept(Iterable<String> arguments, Path folder) {
    List<String> kept = new ArrayList<>();
    for (String argument : arguments) {
      if (argument.startsWith(AGENT)) {
        String[] parts = argument.substring(AGENT.length()).split("=", 2);
        Path jar = folder.resolve(parts[0]).toAbsolutePath().normalize();
        if (!measuresCoverage(jar)) {
          kept.add(AGENT + jar + (parts.length == 1 ? "" : "=" + parts[1]));
        }
      } else if (NATIVE.stream().noneMatch(argument::startsWith)) {
        kept.add(argument);
      }
    }
    return kept;
  }

  private static boolean measuresCoverage(Path jar) {
    String name = String.valueOf(jar.getFileName()).toLowerCase(java.util.Locale.ROOT);
    return name.contains("jacoco") || name.contains("palus-worker");
  }
}
