package io.palus.maven;

import io.palus.host.Console;
import io.palus.host.OwnFolders;
import io.palus.host.PalusException;
import io.palus.host.PrivateFiles;
import io.palus.host.TraceLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.maven.project.MavenProject;

/** Where things are in a project's {@code target} folder. */
final class Layout {
  private final Path target;
  private final Path classes;
  private final Path testClasses;

  Layout(MavenProject project) {
    target = Paths.get(project.getBuild().getDirectory()).toAbsolutePath();
    classes = Paths.get(project.getBuild().getOutputDirectory()).toAbsolutePath();
    testClasses = Paths.get(project.getBuild().getTestOutputDirectory()).toAbsolutePath();
  }

  Path classes() {
    return classes;
  }

  /** The project's own compiled tests. */
  Path testClasses() {
    return testClasses;
  }

  Path work() {
    return target.resolve("palus");
  }

  Path report() {
    return target.resolve("reports").resolve("palus");
  }

  /** Trace files of the traced test run. */
  Path traces() {
    return work().resolve("trace");
  }

  /** Execution data of the traced test run by JaCoCo. */
  Path executionData() {
    return work().resolve("existing.exec");
  }

  /** What the tracing agent is told. */
  Path agentOptions() {
    return work().resolve("agent.properties");
  }

  /** What the traces were made from, and how long it took; there only when they are whole. */
  Path traceRecord() {
    return work().resolve("trace.properties");
  }

  /** The written tests, compiled. */
  Path writtenClasses() {
    return work().resolve("written-classes");
  }

  /** Surefire's reports of the written tests; CI servers know folders of that name. */
  Path writtenReports() {
    return work().resolve("surefire-reports");
  }

  /** What the project's own JaCoCo finds of the written tests. */
  Path writtenExecutionData() {
    return work().resolve("written.exec");
  }

  static boolean holdsClasses(Path directory) {
    return !files(directory, ".class").isEmpty();
  }

  /** All files below a folder whose names end so, in order; none where there is no folder. */
  static List<Path> files(Path directory, String ending) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(ending))
          .sorted()
          .collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes a file of ours whole. It takes the place of a link that has its name; a folder that is
   * reached through a link is refused.
   */
  void write(Path file, byte[] content) {
    OwnFolders.check(target, file.getParent());
    try {
      PrivateFiles.write(file, content);
    } catch (IOException e) {
      throw PalusException.unwritable(file, e);
    }
  }

  /** Waits until no other build traces here or reads traces; holds until it is closed. */
  TraceLock lockTraces(Console console) {
    OwnFolders.check(target, work());
    return TraceLock.take(work(), console);
  }

  /** Deletes a folder of ours and all below it; one that is reached through a link is refused. */
  void delete(Path directory) {
    try {
      OwnFolders.delete(target, directory);
    } catch (IOException e) {
      throw PalusException.unwritable(directory, e);
    }
  }
}
