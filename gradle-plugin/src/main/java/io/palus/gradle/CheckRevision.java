package io.palus.gradle;

import io.palus.host.BaseRevision;
import io.palus.host.PalusException;
import java.io.File;
import java.util.stream.Collectors;
import org.gradle.api.DefaultTask;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.work.DisableCachingByDefault;

/**
 * Checks that there is a revision to compare with before tests are traced for the comparison, so
 * that nobody waits for them and then reads of a typing error.
 */
@DisableCachingByDefault(because = "it only checks")
public abstract class CheckRevision extends DefaultTask {
  /** The revision that {@link PalusDiff} is asked to compare with. */
  @Internal
  public abstract Property<String> getSince();

  @Internal
  public abstract DirectoryProperty getProjectDirectory();

  /** Where the project's classes are compiled to. */
  @Internal
  public abstract ConfigurableFileCollection getClassesDirectories();

  /** Checks. */
  @TaskAction
  public void check() {
    try {
      BaseRevision.check(
          getProjectDirectory().get().getAsFile().toPath(),
          getSince().getOrNull(),
          getClassesDirectories().getFiles().stream()
              .map(File::toPath)
              .collect(Collectors.toList()));
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }
}
