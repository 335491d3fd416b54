package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is said where something cannot be written. */
class PalusExceptionTest {
  @TempDir Path folder;

  @Test
  void a_full_disk_is_named_as_such() {
    Path file = folder.resolve("missing/a");
    IOException full = new FileSystemException(file.toString(), null, "No space left on device");
    assertEquals(
        "cannot write to "
            + file
            + ": no space left on its disk. Free some space there and run again",
        PalusException.unwritable(file, full).userMessage());
    assertTrue(
        PalusException.isFull(folder, "A.java:1: error while writing A: No space left on device"));
  }

  @EnabledOnOs(OS.LINUX)
  @Test
  void what_the_system_says_of_a_full_disk_is_known() {
    Path full = Path.of("/dev/full");
    IOException cause = assertThrows(IOException.class, () -> Files.write(full, new byte[1]));
    assertEquals(
        "cannot write to /dev/full: no space left on its disk. Free some space there and run again",
        PalusException.unwritable(full, cause).userMessage());
  }

  @Test
  void any_other_cause_is_told_in_its_own_words() {
    PalusException denied = PalusException.unwritable(folder, new IOException("Permission denied"));
    assertTrue(denied.getMessage().endsWith("Permission denied"), denied.getMessage());
    assertEquals("make the folder writable", denied.hint());
    assertFalse(PalusException.isFull(folder, "cannot find symbol"));
  }
}
