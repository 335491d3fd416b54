package io.palus.gradle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.gradle.api.tasks.testing.Test;

/** The arguments of the project's test JVM, without agents. */
final class JvmArguments {
  private JvmArguments() {}

  /** What the task says itself; its providers are asked when tests are generated. */
  static List<String> of(Test task) {
    List<String> arguments = withoutAgents(task.getJvmArgs());
    for (Map.Entry<String, Object> property : task.getSystemProperties().entrySet()) {
      Object value = property.getValue();
      arguments.add("-D" + property.getKey() + (value == null ? "" : "=" + value));
    }
    if (task.getDefaultCharacterEncoding() != null) {
      arguments.add("-Dfile.encoding=" + task.getDefaultCharacterEncoding());
    }
    return arguments;
  }

  /** Names of the environment variables that the task has beside those of the build. */
  static Set<String> variables(Test task) {
    Set<String> names = new TreeSet<>(Environment.added(task).keySet());
    names.removeAll(new ProcessBuilder().environment().keySet());
    return names;
  }

  static List<String> withoutAgents(Iterable<String> arguments) {
    List<String> others = new ArrayList<>();
    for (String argument : arguments) {
      if (!argument.startsWith("-javaagent:") && !argument.startsWith("-agentpath:")) {
        others.add(argument);
      }
    }
    return others;
  }
}
