package io.palus.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The sources of another revision of a project, as Git has them, laid out in a folder of our own.
 * Comes in: a folder of the project, and what names a revision. Goes out: where things of the
 * project are in that revision. The user's own work tree, index and branches are only read; what is
 * not committed there and submodules are not in it, and a link is a file that holds where it leads.
 * Two at once are in two folders; each goes when it is closed.
 */
public final class BaseRevision implements AutoCloseable {
  /** Beside a jar: of Maven, then of Gradle. */
  private static final List<String> COMPILED =
      List.of(
          "classes",
          "../classes/java/main",
          "../classes/kotlin/main",
          "../classes/groovy/main",
          "../classes/scala/main",
          "../resources/main");

  private final BaseCommit commit;
  private final Path root;
  private final Path build;
  private final Path folder;

  private BaseRevision(BaseCommit commit, Path root, Path build, Path folder) {
    this.commit = commit;
    this.root = root;
    this.build = build;
    this.folder = folder;
  }

  /**
   * Lays a revision out, as it was where this branch left it.
   *
   * @param build the build's own folder
   * @param work below that, for Palus alone
   * @throws PalusException of kind {@link PalusException.Kind#CONFIGURATION} where there is no Git,
   *     no repository or no such revision
   */
  public static BaseRevision of(Path project, String since, Path build, Path work) {
    try {
      Path root = root(project, since);
      BaseCommit commit = BaseCommit.of(project, since);
      OwnFolders.check(build, work);
      Files.createDirectories(work);
      Path folder = Files.createTempDirectory(work, "base-");
      BaseRevision revision = new BaseRevision(commit, root.toRealPath(), build, folder);
      Path archive = folder.resolve("base.zip");
      Git.answer(
          root,
          "Git cannot give its files",
          "archive",
          "--format=zip",
          "--output=" + archive,
          commit.hash());
      extract(archive, revision.base());
      Files.delete(archive);
      return revision;
    } catch (IOException e) {
      throw PalusException.unwritable(work, e);
    }
  }

  /**
   * Refuses what names no revision, and classes that are compiled into a folder elsewhere, before
   * anything is built or run for the comparison.
   *
   * @throws PalusException as {@link #of} and {@link #checkBuilt}
   */
  public static void check(Path project, String since, Iterable<Path> classes) {
    try {
      Path root = root(project, since).toRealPath();
      BaseCommit.of(project, since);
      checkInside(root, classes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path root(Path project, String since) throws IOException {
    if (since == null || since.isBlank()) {
      throw PalusException.configuration(
          "`since` is missing",
          "say which revision to compare with, such as `main` or `HEAD~1`",
          null);
    }
    return Paths.get(
        Git.answer(project, "it is no Git repository", "rev-parse", "--show-toplevel"));
  }

  /**
   * What is compared with, where what the user named does not say it: Git may know a place where
   * this branch left it, or none that both come from.
   */
  public Optional<String> comparedWith() {
    return commit.said();
  }

  /** The folder that the revision has for itself. */
  public Path folder() {
    return folder;
  }

  private Path base() {
    return folder.resolve("base");
  }

  /** Where a file or folder of the project is in the revision; one elsewhere stays what it is. */
  public Path at(Path path) {
    Path real = real(path);
    return real.startsWith(root) ? base().resolve(root.relativize(real).toString()) : path;
  }

  /**
   * Refuses compiled classes that lie elsewhere: those of the revision would be put into the same
   * place.
   */
  public void checkBuilt(Iterable<Path> classes) {
    checkInside(root, classes);
  }

  private static void checkInside(Path root, Iterable<Path> classes) {
    for (Path path : classes) {
      if (!real(path).startsWith(root)) {
        throw PalusException.configuration(
            "classes are compiled into " + path + ", which is outside of the repository " + root,
            "have the build folder in the project to compare revisions of it; nothing was built",
            null);
      }
    }
  }

  /** Removes what was laid out. */
  @Override
  public void close() {
    try {
      OwnFolders.delete(build, folder);
    } catch (IOException e) {
      throw PalusException.unwritable(folder, e);
    }
  }

  /**
   * A class path of the revision. What it has no counterpart of goes, as the project's tests and
   * modules that are new; of another module's jar, which compiling does not make, the classes take
   * the place.
   */
  public List<Path> classPath(Iterable<Path> entries) {
    List<Path> path = new ArrayList<>();
    for (Path entry : entries) {
      Path there = at(entry);
      if (Files.exists(there)) {
        path.add(there);
      } else if (there.toString().endsWith(".jar")) {
        path.addAll(compiled(there));
      }
    }
    return path;
  }

  /**
   * What Maven and Gradle compile into beside a jar that they make. A jar in any other folder, such
   * as {@code app/libs}, is a file that the revision does not have.
   */
  private List<Path> compiled(Path jar) {
    Path target = jar.getParent();
    List<Path> found = new ArrayList<>();
    for (String each : COMPILED) {
      Path there = target.resolve(each).normalize();
      if (Files.isDirectory(there)) {
        found.add(there);
      }
    }
    boolean isOfGradle = target.endsWith("libs") && isBuildFolder(target.getParent());
    boolean isBuilt = isOfGradle || target.endsWith("target");
    Path module = isOfGradle ? target.getParent().getParent() : target.getParent();
    if (found.isEmpty() && isBuilt && Files.isDirectory(module)) {
      throw PalusException.configuration(
          "the class path has " + base().relativize(jar) + ", which that revision does not build",
          "run the comparison on compiled classes, without packaging them",
          null);
    }
    return found;
  }

  /** By its name: another module's may be any, but most are called as this one's. */
  private boolean isBuildFolder(Path folder) {
    return folder.endsWith("build") || folder.endsWith(build.getFileName());
  }

  /** Without links, as far as it exists. */
  private static Path real(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    Path there = absolute;
    while (there.getParent() != null && !Files.exists(there)) {
      there = there.getParent();
    }
    try {
      return there.toRealPath().resolve(there.relativize(absolute).toString());
    } catch (IOException e) {
      return absolute;
    }
  }

  /** Entries that would lie outside are left out; Git writes none. */
  private static void extract(Path archive, Path folder) throws IOException {
    Files.createDirectories(folder);
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = folder.resolve(entry.getName()).normalize();
        if (file.equals(folder) || !file.startsWith(folder)) {
          continue;
        }
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          Files.copy(zip, file);
        }
      }
    } catch (IllegalArgumentException e) {
      throw PalusException.configuration(
          "a name of a file in the revision cannot be read or written here: " + e.getMessage(),
          "have names in UTF-8 there, and a locale of UTF-8 here, such as LC_ALL=C.UTF-8",
          e);
    }
  }
}
