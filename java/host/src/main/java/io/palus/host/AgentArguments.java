package io.palus.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * The agents among the arguments of a project's test JVM. What an agent makes of the code is what
 * written tests meet, so they are verified with it. Those that measure coverage change nothing that
 * a test can see and are left out; so are native ones, and those that put classes before the class
 * path ({@code Boot-Class-Path}), for no guard could stand in these, and those whose options have a
 * secret, which would stand on a command line.
 */
public final class AgentArguments {
  private static final String AGENT = "-javaagent:";
  private static final String BOOT = "Boot-Class-Path";

  /** In names of jars: JaCoCo, Kover, what IntelliJ measures with, Clover, Cobertura, and Palus. */
  private static final List<String> COVERAGE =
      List.of("jacoco", "kover", "intellij-coverage", "clover", "cobertura", "palus-worker");

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
        boolean hasSecret = parts.length > 1 && SecretNames.areAmong(parts[1]);
        if (!hasSecret && !measuresCoverage(jar) && !reachesBootClasses(jar)) {
          kept.add(AGENT + jar + (parts.length == 1 ? "" : "=" + parts[1]));
        }
      } else if (NATIVE.stream().noneMatch(argument::startsWith)) {
        kept.add(argument);
      }
    }
    return kept;
  }

  private static boolean measuresCoverage(Path jar) {
    String name = String.valueOf(jar.getFileName()).toLowerCase(Locale.ROOT);
    return COVERAGE.stream().anyMatch(name::contains);
  }

  /** False where the jar cannot be read: then the JVM says so. */
  private static boolean reachesBootClasses(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      return manifest != null && manifest.getMainAttributes().getValue(BOOT) != null;
    } catch (IOException e) {
      return false;
    }
  }
}
