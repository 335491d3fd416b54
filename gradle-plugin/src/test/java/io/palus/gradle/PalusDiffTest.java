package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PalusDiffTest {
  @TempDir private File folder;

  @Test
  void the_other_build_is_told_to_build_what_the_module_runs_with() throws IOException {
    Path script = BaseScript.write(folder.toPath(), ":it's:classes", "runtimeClasspath");
    String text = Files.readString(script);
    assertTrue(text.contains("tasks.findByPath(':it\\'s:classes')"), text);
    assertTrue(text.contains("configurations?.findByName('runtimeClasspath')"), text);
  }
}
