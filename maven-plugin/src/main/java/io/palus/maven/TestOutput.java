package io.palus.maven;

import io.palus.host.PalusException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Properties;
import org.apache.maven.project.MavenProject;

/**
 * The folder of compiled tests that this build's test run reads. The project's own is never written
 * to: where written tests join, the run gets a copy of it that holds them too, and a build without
 * Palus never sees that copy.
 */
final class TestOutput {
  /** Where the project's own compiled tests are, while the run is led to another folder. */
  static final String OWN = "palus.ownTestOutputDirectory";

  private final MavenProject project;
  private final Layout layout;

  TestOutput(MavenProject project) {
    this.project = project;
    this.layout = new Layout(project);
  }

  /** The project's own folder of compiled tests, wherever the test run is led to. */
  static String own(MavenProject project) {
    return project.getProperties().getProperty(OWN, project.getBuild().getTestOutputDirectory());
  }

  /** Leads the test run back to the project's own folder. */
  void restore() {
    Properties properties = project.getProperties();
    if (properties.containsKey(OWN)) {
      project.getBuild().setTestOutputDirectory(properties.getProperty(OWN));
      properties.remove(OWN);
    }
  }

  /**
   * Leads the test run to a folder with the project's own compiled tests and the written ones; of
   * two classes of one name the project's own is taken.
   */
  void join(Path written) {
    restore();
    Path joined = layout.joinedTests();
    try {
      Layout.delete(joined);
      Files.createDirectories(joined);
      if (Files.isDirectory(layout.testClasses())) {
        Files.walkFileTree(layout.testClasses(), new Copy(layout.testClasses(), joined));
      }
      Files.walkFileTree(written, new Copy(written, joined));
    } catch (IOException e) {
      throw PalusException.unwritable(joined, e);
    }
    project.getProperties().setProperty(OWN, project.getBuild().getTestOutputDirectory());
    project.getBuild().setTestOutputDirectory(joined.toString());
  }

  /** Copies what is not there yet. Links to folders become links to the same folders. */
  private static final class Copy extends SimpleFileVisitor<Path> {
    private final Path from;
    private final Path to;

    Copy(Path from, Path to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      Files.createDirectories(to.resolve(from.relativize(folder)));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Path target = to.resolve(from.relativize(file));
      if (!Files.exists(target)) {
        if (Files.isDirectory(file)) {
          Files.createSymbolicLink(target, file.toRealPath());
        } else if (Files.exists(file)) {
          Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
