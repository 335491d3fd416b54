package io.palus.maven;

import io.palus.host.PalusException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Our compiled tests among the project's own, each remembered in a list, so that exactly they can
 * be taken out again.
 */
final class TestOutput {
  private final Layout layout;

  TestOutput(Layout layout) {
    this.layout = layout;
  }

  /** The files that we put there. */
  Set<Path> added() {
    Set<Path> added = new TreeSet<>();
    if (Files.isRegularFile(layout.addedTests())) {
      try {
        for (String line : Files.readAllLines(layout.addedTests(), StandardCharsets.UTF_8)) {
          added.add(layout.testClasses().resolve(line));
        }
      } catch (IOException e) {
        throw unwritable(e);
      }
    }
    return added;
  }

  void removeAdded() {
    try {
      for (Path file : added()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(layout.addedTests());
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Copies compiled tests; a class that the project has itself is never replaced. */
  void add(Path compiled) {
    removeAdded();
    List<String> names = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (Path file : Layout.files(compiled, ".class")) {
      Path name = compiled.relativize(file);
      if (!Files.exists(layout.testClasses().resolve(name))) {
        names.add(name.toString());
        files.add(file);
      }
    }
    try {
      // The list first: an interrupt between the two must not make our files look like the
      // project's.
      Files.write(layout.addedTests(), names, StandardCharsets.UTF_8);
      for (int i = 0; i < files.size(); i++) {
        Path target = layout.testClasses().resolve(names.get(i));
        Files.createDirectories(target.getParent());
        Files.copy(files.get(i), target, StandardCopyOption.COPY_ATTRIBUTES);
      }
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private PalusException unwritable(IOException e) {
    return PalusException.configuration(
        "cannot write to " + layout.testClasses() + ": " + e, "Make the folder writable.", e);
  }
}
