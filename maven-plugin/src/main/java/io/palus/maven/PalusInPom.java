package io.palus.maven;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** What the project's pom says of this plugin. */
final class PalusInPom {
  private static final String KEY = "io.palus:palus-maven-plugin";

  private PalusInPom() {}

  /** Which goals the project's own build runs. */
  static Set<String> goals(MavenProject project) {
    Set<String> goals = new TreeSet<>();
    Plugin plugin = project.getPlugin(KEY);
    if (plugin != null) {
      for (PluginExecution execution : plugin.getExecutions()) {
        goals.addAll(execution.getGoals());
      }
    }
    return goals;
  }

  /** The names of all elements of its {@code <configuration>}s. */
  static Set<String> elements(MavenProject project) {
    Plugin plugin = project.getPlugin(KEY);
    if (plugin == null && project.getPluginManagement() != null) {
      // What is managed holds for goals on the command line as well.
      plugin = project.getPluginManagement().getPluginsAsMap().get(KEY);
    }
    Set<String> elements = new TreeSet<>();
    if (plugin != null) {
      List<Object> configurations = new ArrayList<>();
      configurations.add(plugin.getConfiguration());
      plugin.getExecutions().forEach(e -> configurations.add(e.getConfiguration()));
      for (Object configuration : configurations) {
        if (configuration instanceof Xpp3Dom) {
          for (Xpp3Dom element : ((Xpp3Dom) configuration).getChildren()) {
            elements.add(element.getName());
          }
        }
      }
    }
    return elements;
  }
}
