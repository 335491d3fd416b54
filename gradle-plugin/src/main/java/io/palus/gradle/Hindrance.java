package io.palus.gradle;

import io.palus.host.OwnFolders;
import io.palus.host.Palus;
import io.palus.host.PalusException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.gradle.api.Project;
import org.gradle.api.file.Directory;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.Provider;
import org.gradle.api.provider.ValueSource;
import org.gradle.api.provider.ValueSourceParameters;

/**
 * Why Palus can trace no tests in a project: the machine, or the folder of traces. It is known
 * before tests are asked to leave anything there, as Gradle would make that folder, or delete what
 * a link leads to. Each build asks anew, also one whose tasks a configuration cache holds.
 */
public abstract class Hindrance implements ValueSource<String, Hindrance.Place> {
  /** Where traces go. */
  public interface Place extends ValueSourceParameters {
    /** The folder of the build. */
    DirectoryProperty getBuild();

    /** That of the traces, in it. */
    DirectoryProperty getTraces();
  }

  /** What is in the way, and what to do; empty where nothing is. */
  static Optional<String> of(Project project, Provider<Directory> traces) {
    Provider<String> why =
        project
            .getProviders()
            .of(
                Hindrance.class,
                spec -> {
                  spec.getParameters().getBuild().set(project.getLayout().getBuildDirectory());
                  spec.getParameters().getTraces().set(traces);
                });
    return Optional.ofNullable(why.getOrNull());
  }

  /** Null where nothing is in the way. */
  @Override
  public String obtain() {
    Path build = getParameters().getBuild().get().getAsFile().toPath();
    Path traces = getParameters().getTraces().get().getAsFile().toPath();
    try {
      OwnFolders.check(build, traces);
      checkWritable(traces);
    } catch (PalusException e) {
      return e.userMessage();
    }
    return Palus.missing().orElse(null);
  }

  /** The folder itself is deleted and made anew. */
  private static void checkWritable(Path folder) {
    for (Path each : List.of(folder, folder.getParent())) {
      Path there = each;
      while (!Files.exists(there)) {
        there = there.getParent();
      }
      if (!Files.isDirectory(there) || !Files.isWritable(there)) {
        throw PalusException.unwritable(there, new AccessDeniedException(there.toString()));
      }
    }
  }
}
