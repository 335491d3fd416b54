package io.palus.gradle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gradle.api.tasks.testing.Test;

/** The arguments of the project's test JVM, without agents. */
final class JvmArguments {
  private JvmArguments() {}

  static List<String> of(Test task) {
    List<String> arguments = new ArrayList<>();
    for (String argument : task.getJvmArgs()) {
      if (!argument.startsWith("-javaagent:") && !argument.startsWith("-agentpath:")) {
        arguments.add(argument);
      }
    }
    for (Map.Entry<String, Object> property : task.getSystemProperties().entrySet()) {
      Object value = property.getValue();
      arguments.add("-D" + property.getKey() + (value == null ? "" : "=" + value));
    }
    if (task.getDefaultCharacterEncoding() != null) {
      arguments.add("-Dfile.encoding=" + task.getDefaultCharacterEncoding());
    }
    if (task.getEnableAssertions()) {
      arguments.add("-ea");
    }
    return arguments;
  }
}
