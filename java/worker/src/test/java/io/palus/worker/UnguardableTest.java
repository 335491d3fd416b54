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

  @Test
  void a_method_that_would_grow_too_large_is_refused() throws IOException {
    String call = "new File(name).delete();";
    Instrumenter instrumenter = new Instrumenter(null, null);
    byte[] small = classWith(call.repeat(100));
    assertTrue(instrumenter.library(small).length > small.length);
    byte[] large = classWith(call.repeat(5000));
    assertThrows(UnguardableException.class, () -> instrumenter.library(large));
  }

  private byte[] classWith(String statements) throws IOException {
    String text =
        "package a; import java.io.File; public class A { void a(String name) {"
            + statements
            + "} }";
    return Files.readAllBytes(Sources.compile(folder, 8, "a/A.java", text).resolve("a/A.class"));
  }
}
