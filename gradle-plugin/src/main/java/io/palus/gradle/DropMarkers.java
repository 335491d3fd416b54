package io.palus.gradle;

import io.palus.host.PalusException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.UntrackedTask;

/** Deletes each marker, also one of a build that was killed: see {@link OutputMarkers}. */
@UntrackedTask(because = "a marker that an earlier build deleted is there again")
public abstract class DropMarkers extends OutputMarkers {
  /** Deletes. */
  @TaskAction
  public void drop() {
    for (File marker : getMarkers()) {
      try {
        Files.deleteIfExists(marker.toPath());
      } catch (IOException e) {
        throw Failures.of(PalusException.unwritable(marker.toPath(), e));
      }
    }
  }
}
