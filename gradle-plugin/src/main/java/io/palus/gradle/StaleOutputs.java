package io.palus.gradle;

import java.io.File;
import java.nio.file.Path;
import org.gradle.api.Task;
import org.gradle.internal.service.ServiceRegistry;

/**
 * Which output folders Gradle takes for those of an older build, and deletes before a task runs:
 * those that lie below a folder of which the build said that it may be deleted (the build folder of
 * a project, what a {@code clean} names, and what any plugin adds), and of which Gradle has no
 * history. No public interface of Gradle tells either, so Gradle's own two services are asked.
 */
final class StaleOutputs {
  private static final String OWNED = "org.gradle.internal.execution.BuildOutputCleanupRegistry";
  private static final String KNOWN = "org.gradle.internal.execution.history.OutputFilesRepository";

  private final ServiceRegistry services;

  StaleOutputs(ServiceRegistry services) {
    this.services = services;
  }

  /** True too where another version of Gradle does not tell: then it may be so. */
  boolean has(Path folder) {
    File file = folder.toFile();
    try {
      return ask(OWNED, "isOutputOwnedByBuild", file) && !ask(KNOWN, "isGeneratedByGradle", file);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return true;
    }
  }

  private boolean ask(String type, String method, File file) throws ReflectiveOperationException {
    Class<?> service = Class.forName(type, false, Task.class.getClassLoader());
    return (boolean) service.getMethod(method, File.class).invoke(services.get(service), file);
  }
}
