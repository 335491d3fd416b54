package io.palus.worker.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MissingFilesTest {
  @TempDir Path temp;

  @AfterEach
  void nothingCounts() throws IOException {
    MissingFiles.reset();
    MissingFiles.set(Arrays.asList());
  }

  @Test
  void what_only_begins_like_a_jar_of_the_class_path_is_another_file() throws IOException {
    Path jar = Files.createFile(temp.resolve("a.jar"));
    Path classes = Files.createDirectory(temp.resolve("classes"));
    MissingFiles.set(
        Arrays.asList(jar.toString(), classes.toString()), temp.resolve("home").toString());
    for (Path known : Arrays.asList(jar, classes, classes.resolve("x.properties"), temp)) {
      assertNull(lookAt(known));
    }
    for (String name : Arrays.asList("a.jar.old", "a.jarx", "classes-old", "b.jar")) {
      File other = temp.resolve(name).toFile();
      assertEquals("a look at " + other, lookAt(other.toPath()));
    }
  }

  private static String lookAt(Path file) {
    MissingFiles.reset();
    MissingFiles.asks(file);
    return MissingFiles.orOutside(null);
  }
}
