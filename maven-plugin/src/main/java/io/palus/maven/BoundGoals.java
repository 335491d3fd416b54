package io.palus.maven;

import java.util.Set;
import java.util.TreeSet;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;

/** Which goals of this plugin the project's own build runs. */
final class BoundGoals {
  private BoundGoals() {}

  static Set<String> of(MavenProject project) {
    Set<String> goals = new TreeSet<>();
    Plugin plugin = project.getPlugin("io.palus:palus-maven-plugin");
    if (plugin != null) {
      for (PluginExecution execution : plugin.getExecutions()) {
        goals.addAll(execution.getGoals());
      }
    }
    return goals;
  }
}
