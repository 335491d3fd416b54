package io.palus.maven;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.lifecycle.LifecycleExecutor;
import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.BuildPluginManager;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.PluginParameterExpressionEvaluator;
import org.apache.maven.plugin.descriptor.MojoDescriptor;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluator;
import org.codehaus.plexus.configuration.PlexusConfiguration;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * The parameters that a goal of another plugin will get in this project: the pom's configuration,
 * else the property that the parameter names, else the parameter's default.
 */
final class EffectiveConfiguration {
  private final Plugin plugin;
  private final String executionId;
  private final MojoDescriptor descriptor;
  private final Xpp3Dom configured;
  private final PlexusConfiguration declared;
  private final ExpressionEvaluator evaluator;

  EffectiveConfiguration(
      MavenSession session,
      BuildPluginManager plugins,
      MavenProject project,
      String pluginKey,
      String executionId,
      String goal) {
    plugin = project.getPlugin(pluginKey);
    this.executionId = executionId;
    descriptor = plugin == null ? null : descriptor(session, plugins, project, goal);
    String[] key = pluginKey.split(":", 2);
    configured =
        plugin == null ? null : project.getGoalConfiguration(key[0], key[1], executionId, goal);
    declared = descriptor == null ? null : descriptor.getMojoConfiguration();
    evaluator =
        descriptor == null
            ? null
            : new PluginParameterExpressionEvaluator(
                session, new MojoExecution(descriptor, executionId));
  }

  private MojoDescriptor descriptor(
      MavenSession session, BuildPluginManager plugins, MavenProject project, String goal) {
    try {
      return plugins.getMojoDescriptor(
          plugin, goal, project.getRemotePluginRepositories(), session.getRepositorySession());
    } catch (Exception e) {
      // The build itself will say what is wrong with that plugin, better than we could.
      return null;
    }
  }

  /** The name of the property that sets a parameter where the pom does not. */
  static Optional<String> property(MojoDescriptor descriptor, String parameter) {
    PlexusConfiguration child = descriptor.getMojoConfiguration().getChild(parameter, false);
    String expression = child == null ? null : child.getValue();
    return expression != null && expression.matches("\\$\\{[^{}]+}")
        ? Optional.of(expression.substring(2, expression.length() - 1))
        : Optional.empty();
  }

  /** Whether the command line says what a parameter is. */
  boolean isSetByUser(String parameter, MavenSession session) {
    return property(descriptor, parameter)
        .filter(property -> session.getUserProperties().containsKey(property))
        .isPresent();
  }

  /** The goal as this project's build would run it. */
  MojoExecution execution(LifecycleExecutor lifecycle, MavenSession session)
      throws MojoExecutionException {
    String task = plugin.getKey() + ":" + version() + ":" + descriptor.getGoal();
    try {
      return lifecycle
          .calculateExecutionPlan(session, task + "@" + executionId)
          .getMojoExecutions()
          .get(0);
    } catch (Exception e) { // A dozen kinds, which say the same of what is wrong with the plugin.
      throw new MojoExecutionException(task + " cannot be run: " + e.getMessage(), e);
    }
  }

  /** Whether the project has the plugin at all. */
  boolean exists() {
    return evaluator != null;
  }

  /** The plugin's version, or an empty text. */
  String version() {
    return plugin == null || plugin.getVersion() == null ? "" : plugin.getVersion();
  }

  /** The text of the pom as it stands, where the pom sets the parameter. */
  Optional<String> literal(String parameter) {
    Xpp3Dom child = configured == null ? null : configured.getChild(parameter);
    return child == null ? Optional.empty() : Optional.ofNullable(child.getValue());
  }

  /** The value the goal will see; absent where it is null or empty. */
  Optional<String> value(String parameter) {
    Optional<String> literal = literal(parameter).flatMap(this::evaluate);
    if (literal.isPresent() || declared == null) {
      return literal;
    }
    PlexusConfiguration child = declared.getChild(parameter, false);
    if (child == null) {
      return Optional.empty();
    }
    Optional<String> property = evaluate(child.getValue());
    return property.isPresent() ? property : evaluate(child.getAttribute("default-value"));
  }

  /** Whether the value is {@code true}. */
  boolean isTrue(String parameter) {
    return value(parameter).filter("true"::equals).isPresent();
  }

  /** The elements of a list: as children in the pom, or separated by commas in a property. */
  List<String> values(String parameter) {
    List<String> values = new ArrayList<>();
    Xpp3Dom child = configured == null ? null : configured.getChild(parameter);
    if (child != null && child.getChildCount() > 0) {
      for (Xpp3Dom element : child.getChildren()) {
        evaluate(element.getValue()).ifPresent(values::add);
      }
      return values;
    }
    value(parameter).ifPresent(text -> values.addAll(Arrays.asList(text.split("\\s*,\\s*"))));
    return values;
  }

  /** Whether the pom says anything of a parameter. */
  boolean isSet(String parameter) {
    return configured != null && configured.getChild(parameter) != null;
  }

  /** The children of a map parameter, name and value in turn. */
  List<String[]> entries(String parameter) {
    List<String[]> entries = new ArrayList<>();
    Xpp3Dom child = configured == null ? null : configured.getChild(parameter);
    if (child != null) {
      for (Xpp3Dom element : child.getChildren()) {
        entries.add(new String[] {element.getName(), evaluate(element.getValue()).orElse("")});
      }
    }
    return entries;
  }

  /** A text with its expressions replaced. */
  private Optional<String> evaluate(String text) {
    if (text == null || evaluator == null) {
      return Optional.empty();
    }
    try {
      Object value = evaluator.evaluate(text);
      return value == null
          ? Optional.empty()
          : Optional.of(value.toString()).filter(v -> !v.isEmpty());
    } catch (ExpressionEvaluationException e) {
      return Optional.of(text);
    }
  }
}
