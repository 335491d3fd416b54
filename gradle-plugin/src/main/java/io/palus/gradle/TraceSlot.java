package io.palus.gradle;

import io.palus.host.PalusException;
import io.palus.host.TraceLock;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
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

  /** Where the lock may be. */
  public interface Place extends BuildServiceParameters {
    /** The checkout's own folder. */
    DirectoryProperty getRoot();

    /** A folder that a user has in all builds. */
    DirectoryProperty getHome();
  }

  static Provider<TraceSlot> of(Gradle gradle) {
    File root = gradle.getRootProject().getProjectDir();
    return gradle
        .getSharedServices()
        .registerIfAbsent(
            NAME,
            TraceSlot.class,
            spec -> {
              spec.getParameters().getRoot().set(root);
              spec.getParameters().getHome().set(gradle.getGradleUserHomeDir());
            });
  }

  /**
   * Where all builds of a checkout meet, whatever `--project-cache-dir` they have, and where no
   * `clean` deletes. A checkout that nobody can write to, built elsewhere, has its folder in
   * Gradle's home.
   */
  static Path folder(Path root, Path home) {
    Path own = root.resolve(".gradle");
    if (Files.isWritable(Files.exists(own) ? own : root)) {
      return own.resolve("palus");
    }
    byte[] name = root.toString().getBytes(StandardCharsets.UTF_8);
    return home.resolve("palus").resolve(UUID.nameUUIDFromBytes(name).toString());
  }

  /** Waits until no other build of this checkout traces tests or reads traces. */
  @Override
  public synchronized void execute(Logger logger) {
    if (lock != null) {
      return;
    }
    try {
      Path root = getParameters().getRoot().get().getAsFile().toPath();
      Path home = getParameters().getHome().get().getAsFile().toPath();
      lock = TraceLock.take(folder(root, home), GradleConsole.working(logger));
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
