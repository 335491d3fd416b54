package io.palus.host;

import java.nio.file.Path;
import java.util.List;

/**
 * What javac is told so that it runs nothing but itself. Whatever a class path names as a service
 * of the compiler, an annotation processor or a plug-in, it runs in its own JVM where it has no
 * processor path; `-proc:none` is no help against the second.
 */
public final class CompilerServices {
  private CompilerServices() {}

  /**
   * Arguments by which it looks for services in a folder of this name alone, which nobody makes.
   */
  public static List<String> none(Path output) {
    return List.of("-processorpath", folder(output).toString());
  }

  /** That folder, beside the one that classes are written to. */
  public static Path folder(Path output) {
    return output.resolveSibling("no-processors");
  }
}
