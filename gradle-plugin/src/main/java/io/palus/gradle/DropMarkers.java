package io.palus.gradle;

import io.palus.host.PalusException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.UntrackedTask;

/** Deletes each marker, also one of a build that was killed: see {@link OutputMarkers}. */
@UntrackedTask(because = "a marker that an earlier build deleted is there again")
public abstract class DropMarkers extends OutputMarkers {
  /** Deletes. */
  @TaskAction
  public void drop() {
    for (Path folder : folders().values()) {
      Path marker = folder.resolve(NAME);
      try {
        // What made a folder one of a run may be gone by now.
        if (isMarker(marker)) {
          Files.delete(marker);
        }
      } catch (IOException e) {
        throw Failures.of(PalusException.unwritable(marker, e));
      }
    }
  }

  private static boolean isMarker(Path file) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) == 0;
  }
}
