package io.palus.gradle;

import io.palus.host.TestReports;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** What a traced test run leaves in its folder. */
final class TraceFiles {
  /** JaCoCo's execution data of the traced run. */
  static final String EXECUTION_DATA = "existing.exec";

  /** How many tests ran, and how long. */
  private static final String RUN = "run.properties";

  private TraceFiles() {}

  static void clear(File directory) {
    try {
      File[] files = directory.listFiles();
      for (File file : files == null ? new File[0] : files) {
        Files.deleteIfExists(file.toPath());
      }
      Files.createDirectories(directory.toPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void writeRun(File directory, TestReports reports) {
    String seconds = String.format(Locale.ROOT, "%.1f", reports.seconds());
    try {
      // Not as Properties store it: with a date the same run would never be the same output.
      Files.write(
          directory.toPath().resolve(RUN),
          List.of("tests=" + reports.tests(), "seconds=" + seconds),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Properties readRun(File directory) {
    Properties run = new Properties();
    Path file = directory.toPath().resolve(RUN);
    if (Files.isRegularFile(file)) {
      try (java.io.InputStream in = Files.newInputStream(file)) {
        run.load(in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return run;
  }
}
