package io.palus.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Deletes folders of Palus. Comes in: the build's own folder, which may be anywhere, and one below
 * it. Goes out: nothing of that one is left. Does not know what lies behind links: a folder that is
 * reached through one is refused, for it may be somebody else's.
 */
public final class OwnFolders {
  private OwnFolders() {}

  /** Deletes a folder and all below it; a link below it goes, and what it leads to stays. */
  public static void delete(Path build, Path folder) throws IOException {
    check(build, folder);
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }

  /** Refuses a folder that is a link, or is reached through one below the build's own folder. */
  public static void check(Path build, Path folder) {
    Path at = build;
    for (Path name : build.relativize(folder)) {
      at = at.resolve(name);
      if (Files.isSymbolicLink(at)) {
        throw PalusException.configuration(
            "Palus changes nothing in " + folder + ": the link " + at + " leads elsewhere",
            "delete the link and run again; to have such files elsewhere, link " + build,
            null);
      }
    }
  }
}
