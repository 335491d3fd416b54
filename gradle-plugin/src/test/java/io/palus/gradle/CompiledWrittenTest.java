package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gradle.api.GradleException;
import org.gradle.api.InvalidUserDataException;
import org.gradle.api.Project;
import org.gradle.api.tasks.compile.JavaCompile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said where the class of a written test is missing. */
class CompiledWrittenTest {
  @TempDir private Path folder;
  private JavaCompile compile;

  @BeforeEach
  void project() throws IOException {
    Project project = EvaluatedProject.in(folder, p -> {});
    compile = (JavaCompile) project.getTasks().getByName("compilePalusTestJava");
    compile.setClasspath(project.files());
    Files.createDirectories(compile.getDestinationDirectory().get().getAsFile().toPath());
  }

  private Path source(String text) throws IOException {
    Path source = compile.getProject().file("src/written/ATest.java").toPath();
    Files.createDirectories(source.getParent());
    compile.setSource(source.getParent().toFile());
    return Files.writeString(source, text);
  }

  @Test
  void the_first_error_of_javac_is_in_the_error() throws IOException {
    Path source = source("class ATest {\n  Missing a;\n  Gone b;\n}\n");
    GradleException failed =
        assertThrows(GradleException.class, () -> new CompiledWritten().execute(compile));
    String said = failed.getMessage();
    assertTrue(said.contains("checkPalusTest says whether the code changed"), said);
    assertTrue(said.endsWith(": " + source + ":2: error: cannot find symbol"), said);
  }

  @Test
  void a_javac_that_did_not_end_well_is_no_change_of_the_code() throws IOException {
    source("class ATest {}\n"); // And no class of it, as after a crash.
    GradleException failed =
        assertThrows(GradleException.class, () -> new CompiledWritten().execute(compile));
    assertTrue(failed.getMessage().contains("nothing changed in the code"), failed.getMessage());
    assertFalse(failed.getMessage().contains("checkPalusTest"), failed.getMessage());
    new CompiledWritten().execute(compile); // Now there is the class.
  }

  @Test
  void a_full_disk_is_named_and_no_change_of_the_code() {
    String said = "A.java:1: error: error while writing A: /c/A.class: No space left on device";
    GradleException full = CompiledWritten.failure(false, said, folder);
    assertEquals(InvalidUserDataException.class, full.getClass());
    assertEquals(
        "cannot write to "
            + folder
            + ": no space left on its disk. Free some space there and run again",
        full.getMessage());
  }

  @Test
  void warnings_are_passed_over_and_other_words_are_told() {
    String warned = "warning: [options] old\nA.java:3: error: no\nA.java:4: error: not\n";
    String said = CompiledWritten.failure(false, warned, folder).getMessage();
    assertTrue(said.endsWith(": A.java:3: error: no"), said);
    String crashed = "\nAn exception has occurred in the compiler (17)\njava.lang.Error\n";
    said = CompiledWritten.failure(false, crashed, folder).getMessage();
    assertTrue(said.endsWith(": An exception has occurred in the compiler (17)"), said);
  }
}
