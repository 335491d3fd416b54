package io.palus.gradle;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.gradle.api.tasks.Nested;
import org.gradle.process.CommandLineArgumentProvider;

/**
 * The arguments that another test task's providers give, but for those that the task has by itself
 * because its build script says them of all test tasks. No agent's jar is attached twice: the
 * task's own one wins, it has files of its own.
 */
final class CopiedArguments implements CommandLineArgumentProvider {
  private final List<CommandLineArgumentProvider> own;
  private final List<CommandLineArgumentProvider> copied;

  CopiedArguments(List<CommandLineArgumentProvider> own, List<CommandLineArgumentProvider> copied) {
    this.own = new ArrayList<>(own);
    this.copied = withoutAgents(copied);
  }

  /** What is copied; the task's own ones are inputs of it already. */
  @Nested
  public List<CommandLineArgumentProvider> getCopied() {
    return copied;
  }

  @Override
  public Iterable<String> asArguments() {
    Set<String> known = new HashSet<>();
    for (CommandLineArgumentProvider provider : own) {
      provider.asArguments().forEach(argument -> known.add(identity(argument)));
    }
    List<String> arguments = new ArrayList<>();
    for (CommandLineArgumentProvider provider : copied) {
      for (String argument : provider.asArguments()) {
        if (!known.contains(identity(argument))) {
          arguments.add(argument);
        }
      }
    }
    return arguments;
  }

  /** Without our own agents and those of Gradle's JaCoCo plugin, which each task gets anew. */
  static List<CommandLineArgumentProvider> withoutAgents(
      List<CommandLineArgumentProvider> providers) {
    return providers.stream()
        .filter(provider -> !(provider instanceof TraceArguments))
        .filter(p -> !p.getClass().getName().startsWith("org.gradle.testing.jacoco."))
        .collect(Collectors.toList());
  }

  /** An agent is told from others by its jar, whatever its options. */
  private static String identity(String argument) {
    int options = argument.indexOf('=');
    boolean agent = argument.startsWith("-javaagent:") || argument.startsWith("-agentpath:");
    return agent && options > 0 ? argument.substring(0, options) : argument;
  }
}
