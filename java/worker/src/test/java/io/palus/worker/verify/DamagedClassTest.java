package io.palus.worker.verify;

import io.palus.wire.Mutator;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever class file comes, the date is shifted in it, or the JVM is left to refuse it. */
class DamagedClassTest {
  @Test
  void class_files_of_the_jdk_are_shifted_or_refused() throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (String name : List.of("java/util/Date", "java/util/concurrent/locks/LockSupport")) {
      try (InputStream in = Object.class.getResourceAsStream("/" + name + ".class")) {
        files.add(in.readAllBytes());
      }
    }
    Mutator.run(
        "class files of the JDK",
        100,
        files,
        16 << 20,
        1 << 12,
        bytes -> new DateShift().transform(null, "java/util/Date", null, null, bytes),
        // What it throws leaves the class as it is.
        RuntimeException.class);
  }
}
