package io.palus.host;

import java.nio.file.Path;

/**
 * The jar that is agent in the project's test JVM and main class of worker JVMs, and the launcher
 * of the latter.
 */
public final class WorkerJar {
  private static final String RESOURCE = "io/palus/host/palus-worker.jar";

  private WorkerJar() {}

  /** The jar as a file. */
  public static Path path() {
    Path jar = CachedResource.extract(RESOURCE, "palus-worker.jar", false);
    if (jar == null) {
      throw new PalusException(
          PalusException.Kind.INTERNAL,
          "resource " + RESOURCE + " is missing",
          "Is the jar of palus-host damaged?");
    }
    return jar;
  }

  /** The launcher of sandboxed workers, or null where the platform has none. */
  public static Path launcher() {
    return NativeLibrary.launcher();
  }
}
