package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.host.PalusException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFilesTest {
  @TempDir private Path folder;

  @Test
  void a_link_in_the_place_of_what_is_told_of_a_run_goes_and_what_it_leads_to_stays()
      throws IOException {
    Path precious = Files.writeString(folder.resolve("precious"), "the user's");
    Path traces = Files.createDirectory(folder.resolve("trace"));
    Files.createSymbolicLink(traces.resolve("run.properties"), precious);
    TraceFiles.writeRun(traces.toFile(), 3, 1500);
    assertEquals("the user's", Files.readString(precious));
    assertEquals("3", TraceFiles.readRun(traces.toFile()).getProperty("tests"));
    assertEquals("1.5", TraceFiles.readRun(traces.toFile()).getProperty("seconds"));
  }

  @Test
  void what_cannot_be_written_of_a_run_is_named_with_its_cause() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    PalusException error =
        assertThrows(PalusException.class, () -> TraceFiles.writeRun(file.toFile(), 3, 1500));
    Path named = file.resolve("run.properties");
    assertTrue(error.getMessage().startsWith("cannot write to " + named), error.getMessage());
  }
}
