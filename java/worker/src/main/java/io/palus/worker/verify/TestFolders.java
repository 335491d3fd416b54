package io.palus.worker.verify;

import io.palus.worker.runtime.TemporaryFiles;
import java.io.File;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the temporary folders that JUnit would make for a test, and removes them with all that the
 * test left in them: those of {@code @TempDir} fields and of {@code TemporaryFolder} rules.
 */
final class TestFolders implements AutoCloseable {
  private static final String TEMP_DIR = "org.junit.jupiter.api.io.TempDir";
  private static final String RULE = "org.junit.Rule";
  private static final String RULE_OF_FOLDER = "org.junit.rules.TemporaryFolder";

  private final Object test;
  private final List<File> made = new ArrayList<>();

  TestFolders(Object test) {
    this.test = test;
  }

  /** Fills the fields of the test. */
  void make() throws ReflectiveOperationException, IOException {
    for (Field field : test.getClass().getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        continue;
      }
      field.setAccessible(true);
      for (Annotation annotation : field.getDeclaredAnnotations()) {
        String type = annotation.annotationType().getName();
        if (type.equals(TEMP_DIR)) {
          Path folder = folder();
          field.set(test, field.getType() == File.class ? folder.toFile() : folder);
        } else if (type.equals(RULE) && field.getType().getName().equals(RULE_OF_FOLDER)) {
          // Its own method asks for the JDK's by reflection, which is denied.
          Field root = field.getType().getDeclaredField("folder");
          root.setAccessible(true);
          root.set(field.get(test), folder().toFile());
        }
      }
    }
  }

  private Path folder() throws IOException {
    Path folder = TemporaryFiles.createTempDirectory("junit", new FileAttribute<?>[0]);
    made.add(folder.toFile());
    return folder;
  }

  @Override
  public void close() {
    made.forEach(TemporaryFiles::remove);
  }
}
