package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.worker.instrument.Instrumenter;
import io.palus.worker.instrument.UnguardableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A class that cannot take its guards is not loaded without them. */
class UnguardableTest {
  private static final int MAJOR_VERSION = 7;

  @TempDir Path folder;

  @Test
  void a_class_of_an_unknown_version_is_refused() throws IOException {
    Path classes = Sources.compile(folder, 8, "a/A.java", "package a; public class A {}");
    byte[] bytes = Files.readAllBytes(classes.resolve("a/A.class"));
    Instrumenter instrumenter = new Instrumenter(null, null);
    assertTrue(instrumenter.library(bytes).length >= bytes.length);
    bytes[MAJOR_VERSION] = 127;
    assertThrows(UnguardableException.class, () -> instrumenter.library(bytes));
  }
}
