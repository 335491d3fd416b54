package io.palus.gradle;

import io.palus.host.PalusException;
import io.palus.host.TraceLock;
import java.io.File;
import org.gradle.api.Action;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.invocation.Gradle;
import org.gradle.api.logging.Logger;
import org.gradle.api.provider.Provider;
import org.gradle.api.services.BuildService;
import org.gradle.api.services.BuildServiceParameters;

/**
 * This build's lock on all traces, from where tests are about to be traced to the end of all tasks
 * that read traces: Gradle closes it then, however tasks end. One for all modules: two builds that
 * take those of modules in another order would wait for each other for ever. Tasks use it as an
 * action: in a build that loads this plugin twice, one module's slot is a class of another loader.
 */
public abstract class TraceSlot
    implements BuildService<TraceSlot.Place>, Action<Logger>, AutoCloseable {
  private static final String NAME = "palusTraces";

  private TraceLock lock;

  /** Where the lock is. */
  public interface Place extends BuildServiceParameters {
    /** A folder that all builds of a checkout have. */
    DirectoryProperty getFolder();
  }

  static Provider<TraceSlot> of(Gradle gradle) {
    File given = gradle.getStartParameter().getProjectCacheDir();
    File cache =
        given == null ? new File(gradle.getRootProject().getProjectDir(), ".gradle") : given;
    return gradle
        .getSharedServices()
        .registerIfAbsent(
            NAME,
            TraceSlot.class,
            spec -> spec.getParameters().getFolder().set(new File(cache, "palus")));
  }

  /** Waits until no other build of this checkout traces tests or reads traces. */
  @Override
  public synchronized void execute(Logger logger) {
    if (lock != null) {
      return;
    }
    try {
      File folder = getParameters().getFolder().get().getAsFile();
      lock = TraceLock.take(folder.toPath(), GradleConsole.working(logger));
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }

  @Override
  public synchronized void close() {
    if (lock != null) {
      lock.close();
    }
  }
}
