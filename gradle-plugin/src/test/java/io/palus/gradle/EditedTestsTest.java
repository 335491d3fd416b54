package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
