package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFoldersTest {
  @TempDir private Path folder;
  private Path build;
  private Path file;

  @BeforeEach
  void files() throws IOException {
    build = Files.createDirectory(folder.resolve("build"));
    Path others = Files.createDirectories(folder.resolve("elsewhere/reports"));
    file = Files.writeString(others.resolve("file"), "the user's");
  }

  @Test
  void nothing_is_deleted_through_a_link_and_it_is_named() throws IOException {
    Path above = build.resolve("palus");
    Files.createSymbolicLink(above, folder.resolve("elsewhere"));
    Path itself = build.resolve("itself");
    Files.createSymbolicLink(itself, folder.resolve("elsewhere/reports"));
    assertEquals(above, refusedThrough(above.resolve("reports"), above));
    assertEquals(itself, refusedThrough(itself, itself));
    assertTrue(Files.exists(file));
  }

  @Test
  void a_link_inside_goes_and_what_it_leads_to_stays() throws IOException {
    Path own = Files.createDirectories(build.resolve("palus/own"));
    Files.writeString(own.resolve("file"), "ours");
    Files.createSymbolicLink(own.resolve("link"), file.getParent());
    OwnFolders.delete(build, own);
    assertFalse(Files.exists(own));
    assertTrue(Files.exists(file));
    OwnFolders.delete(build, own); // Where there is none, nothing happens.
  }

  @Test
  void the_builds_own_folder_may_be_a_link() throws IOException {
    Path target = Files.createSymbolicLink(folder.resolve("target"), build);
    Path own = Files.createDirectories(target.resolve("palus/own"));
    OwnFolders.delete(target, own);
    assertFalse(Files.exists(own));
  }

  @Test
  void a_link_among_the_copies_of_the_library_is_left_alone() throws IOException {
    Path copies = Files.createDirectory(folder.resolve("copies"));
    String ended = "999999999-copy"; // No process has this number.
    Files.createSymbolicLink(copies.resolve(ended), file.getParent());
    NativeLibrary.sweep(copies);
    assertTrue(Files.exists(file));
  }

  private Path refusedThrough(Path directory, Path link) {
    PalusException refusal =
        assertThrows(PalusException.class, () -> OwnFolders.delete(build, directory));
    assertEquals(PalusException.Kind.CONFIGURATION, refusal.kind());
    return refusal.getMessage().contains("the link " + link + " ") ? link : null;
  }
}
