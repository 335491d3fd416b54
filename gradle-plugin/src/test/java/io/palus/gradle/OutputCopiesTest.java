package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gradle.api.InvalidUserDataException;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Gradle deletes before a task can look comes back. */
class OutputCopiesTest {
  @TempDir Path project;
  private Path build;
  private Path tests;
  private OutputCopies copies;

  @BeforeEach
  void write() throws IOException {
    build = project.resolve("build");
    tests = build.resolve("tests");
    Files.createDirectories(tests.resolve("a"));
    Files.writeString(tests.resolve("a/B.java"), "edited");
    Files.writeString(tests.resolve("C.java"), "written");
    copies = of(tests);
  }

  private OutputCopies of(Path folder) {
    return new OutputCopies(build, List.of(folder), build.resolve("copies"));
  }

  @Test
  void what_was_deleted_is_put_back_and_what_is_there_stays() throws IOException {
    copies.make();
    Files.delete(tests.resolve("a/B.java"));
    Files.delete(tests.resolve("a"));
    Files.writeString(tests.resolve("C.java"), "newer");
    copies.putBack();
    assertEquals("edited", Files.readString(tests.resolve("a/B.java")));
    assertEquals("newer", Files.readString(tests.resolve("C.java")));
  }

  @Test
  void copies_serve_once() throws IOException {
    copies.make();
    copies.putBack();
    Files.delete(tests.resolve("C.java"));
    copies.putBack();
    assertFalse(Files.exists(tests.resolve("C.java")));
    assertFalse(Files.exists(build.resolve("copies")));
  }

  @Test
  void copies_of_an_earlier_build_are_replaced() throws IOException {
    copies.make();
    Files.delete(tests.resolve("C.java"));
    copies.make();
    copies.putBack();
    assertFalse(Files.exists(tests.resolve("C.java")));
  }

  @Test
  void a_folder_that_a_killed_build_did_not_put_back_is_there_for_the_next() throws IOException {
    copies.make();
    Files.delete(tests.resolve("a/B.java"));
    Files.delete(tests.resolve("a"));
    Files.delete(tests.resolve("C.java"));
    Files.delete(tests);
    copies.make();
    assertEquals("edited", Files.readString(tests.resolve("a/B.java")));
  }

  @Test
  void what_a_folder_held_before_it_was_emptied_is_known() throws IOException {
    copies.make();
    Files.delete(tests.resolve("C.java"));
    assertTrue(copies.isIn(tests, folder -> Files.exists(folder.resolve("C.java"))));
    assertFalse(copies.isIn(tests, folder -> Files.exists(folder.resolve("D.java"))));
  }

  @Test
  void a_folder_elsewhere_which_gradle_never_empties_is_not_copied() throws IOException {
    Path source = Files.createDirectories(project.resolve("src/palus"));
    Files.writeString(source.resolve("D.java"), "committed");
    of(source).make();
    assertFalse(Files.exists(build.resolve("copies")));
  }

  @Test
  void a_link_in_their_place_is_refused_and_what_it_leads_to_stays() throws IOException {
    Path users = Files.createDirectories(project.resolve("users"));
    Files.writeString(users.resolve("mine"), "mine");
    Files.createSymbolicLink(build.resolve("copies"), users);
    assertThrows(InvalidUserDataException.class, copies::make);
    assertEquals("mine", Files.readString(users.resolve("mine")));
  }

  @Test
  void they_are_made_before_either_task_that_writes_and_after_cleaning() {
    Project evaluated = EvaluatedProject.in(project, p -> {});
    Task keep = evaluated.getTasks().getByName("keepPalusOutputs");
    for (String name : List.of("palusGenerate", "palusAccept")) {
      Task writes = evaluated.getTasks().getByName(name);
      assertTrue(writes.getTaskDependencies().getDependencies(writes).contains(keep), name);
    }
    for (String name : List.of("clean", "cleanPalusGenerate")) {
      Task cleans = evaluated.getTasks().getByName(name);
      assertTrue(keep.getMustRunAfter().getDependencies(keep).contains(cleans), name);
    }
  }
}
