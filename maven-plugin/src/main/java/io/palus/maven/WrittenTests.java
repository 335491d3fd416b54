package io.palus.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.DefaultArtifact;
import org.apache.maven.artifact.handler.DefaultArtifactHandler;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.BuildPluginManager;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.PluginConfigurationException;
import org.apache.maven.plugin.PluginManagerException;
import org.apache.maven.plugin.descriptor.MojoDescriptor;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * A run of the written tests by the project's own Surefire. Comes in: Surefire's execution of the
 * project's tests, as Maven would run it. Goes out: what Surefire makes of the written tests, and
 * its reports in a folder of ours. All that the pom says of Surefire holds, but for what would keep
 * written tests out, run others or put them into Maven's own JVM.
 */
final class WrittenTests {
  /** What chooses tests: in the pom it speaks of the project's own, on the command line of all. */
  private static final List<String> CHOICES =
      List.of(
          "test",
          "includes",
          "excludes",
          "includesFile",
          "excludesFile",
          "groups",
          "excludedGroups",
          "includeJUnit5Engines",
          "excludeJUnit5Engines");

  /** What brings in other tests, or runs tests beside one another, which were verified in turn. */
  private static final List<String> EMPTIED =
      List.of("suiteXmlFiles", "dependenciesToScan", "parallel");

  /** The same among the properties of a provider. */
  private static final Set<String> EMPTIED_PROPERTIES =
      Set.of("groups", "excludedgroups", "excludegroups", "includeTags", "excludeTags", "parallel");

  /** What tells JUnit's engines to run tests beside one another. */
  private static final List<String> PARALLEL =
      List.of(
          "junit.jupiter.execution.parallel.enabled", "junit.vintage.execution.parallel.enabled");

  /** Lines for JUnit's launcher: they hold before system properties, which hold before files. */
  private static final String PARAMETERS = "configurationParameters";

  private final MavenSession session;
  private final BuildPluginManager plugins;
  private final Layout layout;

  WrittenTests(MavenSession session, BuildPluginManager plugins, Layout layout) {
    this.session = session;
    this.plugins = plugins;
    this.layout = layout;
  }

  /**
   * Runs them; fails as Surefire does.
   *
   * @param own Surefire's execution of the project's own tests
   * @param isForked whether that one has a JVM of its own
   */
  void run(MojoExecution own, boolean isForked)
      throws MojoExecutionException, MojoFailureException {
    MavenProject project = session.getCurrentProject();
    MojoExecution execution = new MojoExecution(own.getMojoDescriptor(), own.getExecutionId());
    execution.setConfiguration(configuration(own, isForked));
    try {
      Files.deleteIfExists(layout.writtenExecutionData()); // JaCoCo would add to it.
    } catch (IOException e) {
      throw new MojoExecutionException("cannot delete " + layout.writtenExecutionData(), e);
    }
    MavenSession ours = session.clone();
    ours.setCurrentProject(withTestsAsDependency(project));
    try {
      plugins.executeMojo(ours, execution);
    } catch (PluginConfigurationException | PluginManagerException e) {
      throw new MojoExecutionException("Surefire cannot run the written tests", e);
    } finally {
      session.setCurrentProject(project); // Clones of a session share it since Maven 3.9.
    }
  }

  /**
   * A project whose compiled classes are the first of what its tests depend on. Surefire puts them
   * behind {@code classesDirectory}, which is set to the project's own compiled tests: so all is in
   * the order that the project's own tests have it in, behind the written ones. That folder has no
   * module either: tests are written and verified on the class path.
   */
  private MavenProject withTestsAsDependency(MavenProject project) {
    DefaultArtifactHandler handler = new DefaultArtifactHandler("jar");
    handler.setAddedToClasspath(true);
    Artifact classes =
        new DefaultArtifact(
            "io.palus", "main-classes", "1", Artifact.SCOPE_COMPILE, "jar", null, handler);
    classes.setFile(layout.classes().toFile());
    Set<Artifact> artifacts = new LinkedHashSet<>();
    artifacts.add(classes);
    artifacts.addAll(project.getArtifacts());
    MavenProject copy = project.clone();
    copy.setArtifacts(artifacts);
    adapt(copy, layout);
    return copy;
  }

  /** Never trace our own tests, nor count them in the figures of the project's own JaCoCo. */
  static void adapt(MavenProject copy, Layout layout) {
    Agents agents = new Agents(copy, layout);
    agents.remove();
    agents.redirectJacoco(layout.writtenExecutionData());
  }

  private Xpp3Dom configuration(MojoExecution own, boolean isForked) {
    Map<String, Xpp3Dom> elements = new LinkedHashMap<>();
    for (Xpp3Dom element : own.getConfiguration().getChildren()) {
      elements.put(element.getName(), element);
    }
    // Not without an element: Surefire counts on lists that are there, if empty.
    EMPTIED.forEach(name -> elements.put(name, new Xpp3Dom(name)));
    MojoDescriptor descriptor = own.getMojoDescriptor();
    for (String name : CHOICES) {
      elements.put(name, new Xpp3Dom(name));
      EffectiveConfiguration.property(descriptor, name)
          .filter(property -> session.getUserProperties().containsKey(property))
          .ifPresent(property -> elements.put(name, element(name, "${" + property + "}")));
    }
    if (elements.get("includes").getValue() == null) {
      elements.put("includes", list("includes", List.of(element("include", "**/*PalusTest.java"))));
    }
    elements.computeIfPresent("argLine", (name, set) -> argLine(set, layout));
    elements.compute("properties", (name, set) -> providerProperties(children(set)));
    elements.compute("systemPropertyVariables", (name, set) -> systemProperties(children(set)));
    elements.put("testClassesDirectory", folder("testClassesDirectory", layout.writtenClasses()));
    elements.put("classesDirectory", folder("classesDirectory", layout.testClasses()));
    elements.put("reportsDirectory", folder("reportsDirectory", layout.writtenReports()));
    for (String name : List.of("useModulePath", "failIfNoTests", "failIfNoSpecifiedTests")) {
      elements.put(name, element(name, "false"));
    }
    if (!isForked) {
      elements.put("forkCount", element("forkCount", "1"));
      elements.put("reuseForks", element("reuseForks", "true"));
      elements.remove("forkMode");
      if (!descriptor.getParameterMap().containsKey("forkCount")) {
        elements.put("forkMode", element("forkMode", "once"));
      }
    }
    // Older versions do not know all of them, and can do without.
    elements.keySet().retainAll(descriptor.getParameterMap().keySet());
    return list("configuration", elements.values());
  }

  /** What the pom tells a provider, without what chooses tests or runs them beside one another. */
  static Xpp3Dom providerProperties(List<Xpp3Dom> properties) {
    List<Xpp3Dom> kept = new ArrayList<>();
    StringBuilder parameters = new StringBuilder();
    for (Xpp3Dom property : properties) {
      Xpp3Dom name = property.getChild("name");
      Xpp3Dom value = name == null ? property : property.getChild("value");
      String named = name == null ? property.getName() : name.getValue();
      if (PARAMETERS.equals(named) && value != null && value.getValue() != null) {
        parameters.append(value.getValue()).append("\n\n"); // The last line may end in a backslash.
      } else if (!EMPTIED_PROPERTIES.contains(named)) {
        kept.add(property);
      }
    }
    PARALLEL.forEach(key -> parameters.append(key).append(" = false\n")); // The last one holds.
    kept.add(element(PARAMETERS, parameters.toString()));
    return list("properties", kept);
  }

  /** System properties that too keep JUnit from running tests beside one another. */
  static Xpp3Dom systemProperties(List<Xpp3Dom> variables) {
    List<Xpp3Dom> all = new ArrayList<>(variables);
    all.removeIf(variable -> PARALLEL.contains(variable.getName()));
    PARALLEL.forEach(key -> all.add(element(key, "false")));
    return list("systemPropertyVariables", all);
  }

  /** A line that names the project's own JaCoCo itself, by no property. */
  static Xpp3Dom argLine(Xpp3Dom line, Layout layout) {
    Xpp3Dom changed = new Xpp3Dom(line);
    if (line.getValue() != null) {
      String file = layout.writtenExecutionData().toString();
      changed.setValue(Agents.redirected(line.getValue(), file));
    }
    return changed;
  }

  private static List<Xpp3Dom> children(Xpp3Dom element) {
    return element == null ? List.of() : List.of(element.getChildren());
  }

  private static Xpp3Dom folder(String name, Path path) {
    return element(name, path.toString());
  }

  private static Xpp3Dom element(String name, String value) {
    Xpp3Dom element = new Xpp3Dom(name);
    element.setValue(value);
    return element;
  }

  private static Xpp3Dom list(String name, Iterable<Xpp3Dom> children) {
    Xpp3Dom list = new Xpp3Dom(name);
    children.forEach(list::addChild);
    return list;
  }
}
