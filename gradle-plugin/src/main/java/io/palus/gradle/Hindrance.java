package io.palus.gradle;

import io.palus.host.OwnFolders;
import io.palus.host.Palus;
import io.palus.host.PalusException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.gradle.api.Action;
import org.gradle.api.Project;
import org.gradle.api.file.Directory;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.Provider;
import org.gradle.api.provider.ValueSource;
import org.gradle.api.provider.ValueSourceParameters;

/**
 * Why Palus can do nothing in a project: the machine, or the folder of traces. It is known before
 * tests are asked to leave anything there, as Gradle would make that folder, or delete what a link
 * leads to. Each build asks anew, also one whose tasks a configuration cache holds: whatever is
 * looked at elsewhere while a project is configured, the user's cache among it, is what such a
 * cache rests on, and the first build, which fills that folder, would leave one that no later build
 * takes up.
 */
public abstract class Hindrance implements ValueSource<String, Hindrance.Place> {
  /** Where traces go. */
  public interface Place extends ValueSourceParameters {
    /** The folder of the build. */
    DirectoryProperty getBuild();

    /** That of the traces, in it; absent where none are to be left. */
    DirectoryProperty getTraces();
  }

  /** What is in the way on this machine, and what to do; empty where nothing is. */
  static Optional<String> ofMachine(Project project) {
    return ask(project, place -> {});
  }

  /** The same, and what is in the way of leaving traces in a folder. */
  static Optional<String> ofTraces(Project project, Provider<Directory> traces) {
    return ask(
        project,
        place -> {
          place.getBuild().set(project.getLayout().getBuildDirectory());
          place.getTraces().set(traces);
        });
  }

  private static Optional<String> ask(Project project, Action<Place> place) {
    Provider<String> why =
        project.getProviders().of(Hindrance.class, spec -> place.execute(spec.getParameters()));
    return Optional.ofNullable(why.getOrNull());
  }

  /** Null where nothing is in the way. */
  @Override
  public String obtain() {
    if (getParameters().getTraces().isPresent()) {
      Path build = getParameters().getBuild().get().getAsFile().toPath();
      Path traces = getParameters().getTraces().get().getAsFile().toPath();
      try {
        OwnFolders.check(build, traces);
        checkWritable(traces);
      } catch (PalusException e) {
        return e.userMessage();
      }
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
