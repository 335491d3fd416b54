package io.palus.host;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * JaCoCo as this plugin brings it along: its agent as a file, and the class path of {@link
 * CoverageMain}.
 */
public final class CoverageAgent {
  private CoverageAgent() {}

  /** The agent's jar as a file. */
  public static Path path() {
    URL jar;
    try {
      jar = org.jacoco.agent.AgentJar.getResource();
    } catch (AssertionError e) {
      throw new PalusException(
          PalusException.Kind.INTERNAL,
          "the jar of JaCoCo's agent is missing",
          "Is the plugin's class path damaged?",
          e);
    }
    return CachedResource.extract(jar, "jacocoagent.jar", false);
  }

  /** The argument that attaches the agent; it adds to the file where that exists. */
  public static String jvmArgument(Path agent, Path executionData) {
    return "-javaagent:"
        + agent
        + "=destfile="
        + executionData
        + ",append=true,inclnolocationclasses=false";
  }

  /** What {@link CoverageMain} needs to run in a JVM of its own. */
  public static List<Path> classPath() {
    Set<Path> path = new LinkedHashSet<>();
    path.add(location(CoverageMain.class));
    path.add(location(org.jacoco.core.analysis.Analyzer.class));
    path.add(location(org.objectweb.asm.ClassReader.class));
    path.add(location(org.objectweb.asm.tree.ClassNode.class));
    path.add(location(org.objectweb.asm.commons.JSRInlinerAdapter.class));
    return new ArrayList<>(path);
  }

  /**
   * The jar or folder that a class comes from, whatever its class loader says about code sources.
   */
  private static Path location(Class<?> type) {
    String resource = type.getName().replace('.', '/') + ".class";
    URL url = type.getClassLoader().getResource(resource);
    try {
      if (url != null && url.openConnection() instanceof JarURLConnection) {
        return Paths.get(((JarURLConnection) url.openConnection()).getJarFileURL().toURI());
      }
      if (url != null && url.getProtocol().equals("file")) {
        Path root = Paths.get(url.toURI());
        for (int i = resource.split("/", -1).length; i > 0; i--) {
          root = root.getParent();
        }
        return root;
      }
    } catch (IOException | URISyntaxException e) {
      throw new PalusException(PalusException.Kind.INTERNAL, "where is " + type + "? " + e, "", e);
    }
    throw new PalusException(
        PalusException.Kind.INTERNAL, "no file holds " + type + " (" + url + ")", "");
  }
}
