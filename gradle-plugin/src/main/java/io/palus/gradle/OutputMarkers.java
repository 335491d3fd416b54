package io.palus.gradle;

import io.palus.host.OwnFolders;
import io.palus.host.PalusException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gradle.api.DefaultTask;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.OutputFiles;
import org.gradle.work.DisableCachingByDefault;

/**
 * Keeps Gradle from deleting what earlier runs wrote. Where Gradle has no history (its folder
 * {@code .gradle} is gone, or is that of another version), it deletes a task's output folders below
 * the build folder before the task can look: edited tests too, and those whose behaviour is to be
 * compared. But it deletes no folder in which another task of the build just wrote a file: {@link
 * KeepOutputs} writes one, a marker. {@link DropMarkers} deletes it before anybody sees the folder:
 * a file that is not the task's own would keep it from the build cache.
 */
@DisableCachingByDefault(because = "what it does is to be seen by Gradle each time")
public abstract class OutputMarkers extends DefaultTask {
  /** The name of a marker. */
  static final String NAME = ".palus-marker";

  /** The folder of the build. */
  @Internal
  public abstract DirectoryProperty getBuildDirectory();

  /** Output folders of tasks that write. */
  @Internal
  public abstract ConfigurableFileCollection getFolders();

  /**
   * One in each folder that Gradle may delete and somebody could miss. One that is not there, or is
   * empty, gets none: Gradle would create it, and take it for somebody else's.
   */
  @OutputFiles
  public List<File> getMarkers() {
    Path build = getBuildDirectory().get().getAsFile().toPath();
    return getFolders().getFiles().stream()
        .map(File::toPath)
        .filter(folder -> isOwn(build, folder) && !isEmpty(folder))
        .map(folder -> folder.resolve(NAME).toFile())
        .collect(Collectors.toList());
  }

  /** Of a link Gradle deletes the link alone; what it leads to is no business of this task. */
  static boolean isOwn(Path build, Path folder) {
    if (!folder.startsWith(build) || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try {
      OwnFolders.check(build, folder);
      return true;
    } catch (PalusException e) {
      return false;
    }
  }

  private static boolean isEmpty(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      throw Failures.of(PalusException.unwritable(folder, e));
    }
  }
}
