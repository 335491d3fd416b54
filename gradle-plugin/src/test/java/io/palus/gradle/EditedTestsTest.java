package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.gradle.api.Project;
import org.gradle.api.internal.TaskInternal;
import org.gradle.api.internal.tasks.execution.SelfDescribingSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a folder of written tests is not to be replaced from a build cache. */
class EditedTestsTest {
  private static final String HASH_OF_ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.createDirectories(folder.resolve("a")).resolve("B.java");
    Files.writeString(file, "abc");
    Files.writeString(folder.resolve(".palus-manifest"), HASH_OF_ABC + " a/B.java\n");
  }

  @Test
  void files_as_they_were_written_are_nobody_elses() throws IOException {
    assertFalse(EditedTests.isIn(folder));
    Files.delete(file);
    assertFalse(EditedTests.isIn(folder));
    assertFalse(EditedTests.isIn(folder.resolve("missing")));
  }

  @Test
  void a_changed_file_is_seen() throws IOException {
    Files.writeString(file, "abcd");
    assertTrue(EditedTests.isIn(folder));
  }

  @Test
  void with_an_edited_test_a_task_neither_reads_nor_fills_the_cache() throws IOException {
    Project project = EvaluatedProject.in(folder, p -> {});
    PalusGenerate generate = (PalusGenerate) project.getTasks().getByName("palusGenerate");
    generate.getOutputDirectory().set(folder.resolve("tests").toFile());
    Path tests = Files.createDirectories(folder.resolve("tests/a"));
    Files.writeString(tests.resolve("B.java"), "abc");
    Files.copy(folder.resolve(".palus-manifest"), folder.resolve("tests/.palus-manifest"));
    assertFalse(reasons(generate).contains("a written test was edited"));
    Files.writeString(tests.resolve("B.java"), "abcd");
    assertTrue(reasons(generate).contains("a written test was edited"));
  }

  /** Why Gradle would keep its cache out of this. */
  private static List<String> reasons(PalusGenerate task) {
    return ((TaskInternal) task)
        .getOutputs().getDoNotCacheIfSpecs().stream()
            .filter(spec -> spec.isSatisfiedBy((TaskInternal) task))
            .map(SelfDescribingSpec::getDisplayName)
            .collect(Collectors.toList());
  }

  @Test
  void a_strangers_file_or_link_is_seen() throws IOException {
    Path stranger = folder.resolve("mine.txt");
    Files.writeString(stranger, "abc");
    assertTrue(EditedTests.isIn(folder));
    Files.delete(stranger);
    Files.createSymbolicLink(stranger, file);
    assertTrue(EditedTests.isIn(folder));
  }

  @Test
  void only_files_as_they_were_written_are_deleted() throws IOException {
    Path edited = Files.writeString(folder.resolve("a").resolve("C.java"), "abcd");
    Path manifest = folder.resolve(".palus-manifest");
    String listed = HASH_OF_ABC + " a/B.java\n" + HASH_OF_ABC + " a/C.java\n";
    Files.writeString(manifest, listed);
    assertTrue(EditedTests.deleteOurs(folder));
    assertFalse(Files.exists(file));
    assertEquals("abcd", Files.readString(edited));
    assertEquals(listed, Files.readString(manifest));
    Files.delete(edited);
    assertFalse(EditedTests.deleteOurs(folder));
    assertFalse(Files.exists(folder));
    assertFalse(EditedTests.deleteOurs(folder));
  }

  @Test
  void what_another_project_wrote_is_neither_deleted_nor_cached() throws IOException {
    Path bank = Files.createDirectories(folder.resolve("bank"));
    Project ledger =
        EvaluatedProject.in(Files.createDirectories(folder.resolve("ledger")), p -> {});
    Path tests = Files.createDirectories(folder.resolve("tests"));
    Path written = Files.copy(file, tests.resolve("B.java"));
    String both = "project ./../bank\nfolder ./../tests\n" + HASH_OF_ABC + " B.java\n";
    Files.writeString(tests.resolve(".palus-manifest"), both);
    PalusGenerate generate = (PalusGenerate) ledger.getTasks().getByName("palusGenerate");
    generate.getOutputDirectory().set(tests.toFile());
    CleanGenerate clean = (CleanGenerate) ledger.getTasks().getByName("cleanPalusGenerate");

    assertTrue(reasons(generate).contains("a written test was edited"));
    clean.clean();
    assertEquals("abc", Files.readString(written));
    assertEquals(both, Files.readString(tests.resolve(".palus-manifest")));

    // Where that project is gone, or has another folder by now, it is nobody else's.
    Files.delete(bank);
    assertFalse(reasons(generate).contains("a written test was edited"));
    clean.clean();
    assertFalse(Files.exists(tests));
  }

  @Test
  void an_empty_folder_that_somebody_else_made_is_seen_and_stays() throws IOException {
    Path mine = Files.createDirectories(folder.resolve("a/mine"));
    assertTrue(EditedTests.isIn(folder));
    assertFalse(EditedTests.deleteOurs(folder));
    assertTrue(Files.isDirectory(mine));
    assertFalse(Files.exists(file));
    Files.delete(mine);
    assertFalse(EditedTests.deleteOurs(folder));
    assertTrue(Files.isDirectory(folder.resolve("a")));
  }

  @Test
  void nothing_is_deleted_through_a_link_or_without_a_manifest() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("a"));
    Files.delete(folder.resolve(".palus-manifest"));
    assertTrue(EditedTests.deleteOurs(folder));
    assertTrue(Files.exists(file));
    assertTrue(Files.isSymbolicLink(link));
  }

  @Test
  void without_a_manifest_nothing_is_known_to_be_ours() throws IOException {
    Files.delete(folder.resolve(".palus-manifest"));
    assertTrue(EditedTests.isIn(folder));
  }
}
