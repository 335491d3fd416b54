package io.palus.gradle;

import io.palus.host.AgentArguments;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.gradle.api.tasks.testing.Test;

/**
 * The arguments of the project's test JVM, without agents that measure coverage and native ones.
 */
final class JvmArguments {
  private JvmArguments() {}

  /** What the task says itself; its providers are asked when tests are generated. */
  static List<String> of(Test task) {
    List<String> arguments = AgentArguments.kept(task.getJvmArgs(), task.getWorkingDir().toPath());
    if (!task.getEnableAssertions()) {
      arguments.add("-da");
    }
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
}
