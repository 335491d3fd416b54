package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gradle.api.InvalidUserDataException;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.internal.TaskInternal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tells Gradle that it is not to delete a folder. */
class OutputMarkersTest {
  private static final FileTime OLD = FileTime.fromMillis(1_000_000_000_000L);

  @TempDir Path folder;
  private Path build;
  private Path tests;
  private Project project;
  private KeepOutputs keep;
  private DropMarkers drop;

  @BeforeEach
  void write() throws IOException {
    // Elsewhere a temporary folder may be reached through a link, which Gradle resolves.
    folder = folder.toRealPath();
    build = folder.resolve("build");
    tests = Files.createDirectories(build.resolve("tests"));
    Files.writeString(tests.resolve("A.java"), "edited");
    project =
        EvaluatedProject.in(
            folder,
            p -> {
              PalusExtension palus = p.getExtensions().getByType(PalusExtension.class);
              palus.getOutputDirectory().set(p.file("build/tests"));
              palus.getFindingsDirectory().set(p.file("build/findings"));
            });
    keep = (KeepOutputs) project.getTasks().getByName("keepPalusOutputs");
    drop = (DropMarkers) project.getTasks().getByName("dropPalusMarkers");
  }

  @Test
  void a_folder_that_holds_something_has_a_marker_for_a_moment() throws IOException {
    Path marker = tests.resolve(OutputMarkers.NAME);
    assertEquals(List.of(marker.toFile()), keep.getMarkers());
    assertFalse(Files.exists(marker));
    keep.keep();
    keep.keep(); // after a build that was killed
    assertTrue(Files.isRegularFile(marker));
    drop.drop();
    drop.drop();
    assertEquals(Set.of("A.java"), Set.of(tests.toFile().list()));
    // One that is not there or empty comes from the build cache, if it has no marker.
    assertFalse(Files.exists(build.resolve("findings")));
    Files.createDirectory(build.resolve("findings"));
    keep.keep();
    assertEquals(0, build.resolve("findings").toFile().list().length);
  }

  @Test
  void what_somebody_deleted_does_not_come_back() throws IOException {
    keep.keep();
    Files.delete(tests.resolve("A.java"));
    drop.drop();
    keep.keep();
    drop.drop();
    assertEquals(0, tests.toFile().list().length);
  }

  /** A project of a test has no Gradle that tells what it would delete: it may be anything. */
  @Test
  void a_folder_elsewhere_has_a_marker_where_a_run_wrote_before() throws IOException {
    Path users = Files.createDirectories(folder.resolve("users/tests"));
    Files.writeString(users.resolve(EditedTests.MANIFEST), "");
    Files.createSymbolicLink(build.resolve("link"), users);
    Files.createSymbolicLink(build.resolve("above"), users.getParent());
    for (String place : List.of("users/tests", "build/link", "build/above/tests")) {
      set("outputDirectory", folder.resolve(place));
      keep.keep();
      assertTrue(Files.isRegularFile(users.resolve(OutputMarkers.NAME)), place);
      // It goes, also where what says that the folder is one of a run went before.
      Files.move(users.resolve(EditedTests.MANIFEST), folder.resolve("gone"));
      drop.drop();
      Files.move(folder.resolve("gone"), users.resolve(EditedTests.MANIFEST));
      assertEquals(List.of(EditedTests.MANIFEST), List.of(users.toFile().list()), place);
    }
    Path reports = Files.createDirectories(folder.resolve("disk/palus"));
    Files.writeString(reports.resolve("report.json"), "");
    Files.createSymbolicLink(build.resolve("reports"), reports.getParent());
    set("reportDirectory", build.resolve("reports/palus"));
    keep.keep();
    assertTrue(Files.isRegularFile(reports.resolve(OutputMarkers.NAME)));
  }

  @Test
  void what_gradle_would_delete_and_no_run_wrote_is_refused_by_the_name_of_the_setting()
      throws IOException {
    Path users = Files.createDirectories(folder.resolve("users/tests"));
    Files.writeString(users.resolve("mine"), "mine");
    Files.createSymbolicLink(build.resolve("link"), folder.resolve("nothing"));
    Files.createSymbolicLink(build.resolve("above"), users.getParent());
    for (String place : List.of("users/tests", "build/link", "build/above/tests")) {
      for (String setting : List.of("outputDirectory", "findingsDirectory", "reportDirectory")) {
        set(setting, folder.resolve(place));
        Exception refused = assertThrows(InvalidUserDataException.class, keep::keep);
        String said = "the folder of `" + setting + "` (" + folder.resolve(place) + ")";
        assertTrue(refused.getMessage().contains(said), refused.getMessage());
        assertEquals(List.of("mine"), List.of(users.toFile().list()));
      }
    }
    Files.delete(users.resolve("mine"));
    set("outputDirectory", users);
    keep.keep();
  }

  private void set(String setting, Path place) {
    keep.setFolders(Map.of(setting, project.files(place)));
    drop.setFolders(Map.of(setting, project.files(place)));
  }

  @Test
  void nothing_of_the_users_changes_where_a_link_leads() throws IOException {
    Path users = Files.createDirectories(folder.resolve("users/tests"));
    Files.writeString(users.resolve("mine"), "mine");
    Files.createSymbolicLink(build.resolve("link"), users);
    Files.createSymbolicLink(build.resolve("above"), users.getParent());
    FileTime old = FileTime.fromMillis(1_000_000_000_000L);
    Files.setLastModifiedTime(users.resolve("mine"), old);
    Path known = build.resolve("palus/known/palusGenerate");
    KnownOutputs.claim(build, List.of(build.resolve("link"), build.resolve("above/tests")), known);
    assertEquals(old, Files.getLastModifiedTime(users.resolve("mine")));

    Files.createSymbolicLink(tests.resolve(OutputMarkers.NAME), users.resolve("mine"));
    keep.keep();
    drop.drop();
    assertEquals("mine", Files.readString(users.resolve("mine")));
  }

  @Test
  void they_are_there_and_gone_before_either_task_that_writes_and_after_cleaning() {
    assertTrue(drop.getTaskDependencies().getDependencies(drop).contains(keep));
    assertTrue(keep.getFinalizedBy().getDependencies(keep).contains(drop));
    // Without markers, too, it looks at what is in the folders by now.
    assertFalse(
        ((TaskInternal) keep).getOutputs().getUpToDateSpec().isSatisfiedBy((TaskInternal) keep));
    for (String name : List.of("palusGenerate", "palusAccept")) {
      Task writes = project.getTasks().getByName(name);
      assertTrue(writes.getTaskDependencies().getDependencies(writes).contains(drop), name);
    }
    for (String name : List.of("clean", "cleanPalusGenerate", "checkPalusSettings")) {
      Task cleans = project.getTasks().getByName(name);
      assertTrue(keep.getMustRunAfter().getDependencies(keep).contains(cleans), name);
    }
  }

  @Test
  void where_gradle_has_no_history_files_get_a_new_time_once() throws IOException {
    Path known = build.resolve("palus/known/palusGenerate");
    Path test = tests.resolve("A.java");
    Path mine = Files.createDirectories(folder.resolve("src/palus")).resolve("B.java");
    Files.writeString(mine, "committed");
    Files.createSymbolicLink(tests.resolve("link"), mine);
    List<Path> folders = List.of(tests, mine.getParent(), build.resolve("findings"));
    Files.setLastModifiedTime(test, OLD);
    Files.setLastModifiedTime(mine, OLD);

    KnownOutputs.claim(build, folders, known);
    assertTrue(Files.getLastModifiedTime(test).compareTo(OLD) > 0);
    assertEquals("edited", Files.readString(test));
    assertEquals(OLD, Files.getLastModifiedTime(mine));

    Files.setLastModifiedTime(test, OLD);
    KnownOutputs.claim(build, folders, known);
    assertEquals(OLD, Files.getLastModifiedTime(test));
  }

  @Test
  void each_task_that_writes_knows_of_its_own_history() {
    File generate = known("palusGenerate");
    assertTrue(generate.toPath().startsWith(build));
    assertFalse(generate.equals(known("palusAccept")));
  }

  private File known(String name) {
    PalusGenerate task = (PalusGenerate) project.getTasks().getByName(name);
    return task.getKnown().get().getAsFile();
  }
}
