package io.palus.gradle;

import io.palus.host.OwnFolders;
import io.palus.host.PalusException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gradle.api.DefaultTask;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.OutputFiles;
import org.gradle.work.DisableCachingByDefault;

/**
 * Keeps Gradle from deleting what earlier runs wrote. Where Gradle has no history (its folder
 * {@code .gradle} is gone, or is that of another version), it deletes a task's output folders that
 * lie below the build folder of any project, or below what any {@code clean} names, before the task
 * can look: edited tests too, and those whose behaviour is to be compared. It goes by names: it
 * deletes through a link above such a folder, too. But it deletes no folder in which another task
 * of the build just wrote a file: {@link KeepOutputs} writes one, a marker. {@link DropMarkers}
 * deletes it before anybody sees the folder: a file that is not the task's own would keep it from
 * the build cache.
 */
@DisableCachingByDefault(because = "what it does is to be seen by Gradle each time")
public abstract class OutputMarkers extends DefaultTask {
  /** The name of a marker. */
  static final String NAME = ".palus-marker";

  /** The folder that no setting moves. */
  static final String REPORTS = "reportDirectory";

  /** What one of the tasks that report leaves there. */
  private static final List<String> REPORT =
      List.of("report.json", "changes.json", "differences.json");

  private Map<String, FileCollection> folders = new TreeMap<>();

  /** The folder of the build. */
  @Internal
  public abstract DirectoryProperty getBuildDirectory();

  /** Output folders of tasks that write, by the names of their settings. */
  @Internal
  public Map<String, FileCollection> getFolders() {
    return folders;
  }

  /** As {@link #getFolders}; of a kind that a configuration cache can read again. */
  public void setFolders(Map<String, FileCollection> folders) {
    this.folders = new TreeMap<>(folders);
  }

  /**
   * One in each folder that Gradle may delete and somebody could miss, if it is ours to write to.
   * One that is not there, or is empty, gets none: Gradle would create it, and take it for somebody
   * else's.
   */
  @OutputFiles
  public List<File> getMarkers() {
    Path build = getBuildDirectory().get().getAsFile().toPath();
    return folders().entrySet().stream()
        .filter(each -> isSomething(each.getValue()) && isOurs(build, each))
        .map(each -> each.getValue().resolve(NAME).toFile())
        .collect(Collectors.toList());
  }

  final Map<String, Path> folders() {
    Map<String, Path> paths = new TreeMap<>();
    folders.forEach((name, folder) -> paths.put(name, folder.getSingleFile().toPath()));
    return paths;
  }

  /** False where a link stands on the way: what it leads to may be the user's. */
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

  /** Whether the build alone writes to the folder, or a run did before, wherever it is. */
  static boolean isOurs(Path build, Map.Entry<String, Path> folder) {
    boolean isReport = folder.getKey().equals(REPORTS);
    return isOwn(build, folder.getValue())
        || (isReport ? REPORT : List.of(EditedTests.MANIFEST))
            .stream()
                .map(folder.getValue()::resolve)
                .anyMatch(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
  }

  /** Whether there is anything to lose: an empty folder that is deleted is made again. */
  static boolean isSomething(Path folder) {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return Files.exists(folder, LinkOption.NOFOLLOW_LINKS);
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isPresent();
    } catch (IOException e) {
      throw Failures.of(PalusException.unwritable(folder, e));
    }
  }
}
