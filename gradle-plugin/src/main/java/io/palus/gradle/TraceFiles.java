package io.palus.gradle;

import io.palus.host.OwnFolders;
import io.palus.host.PalusException;
import io.palus.host.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;

/** What a traced test run leaves in its folder. */
final class TraceFiles {
  /** JaCoCo's execution data of the traced run. */
  static final String EXECUTION_DATA = "existing.exec";

  /** How many tests ran, and how long. */
  private static final String RUN = "run.properties";

  private TraceFiles() {}

  /** Deletes what an earlier run left; a folder that is reached through a link is refused. */
  static void clear(File build, File directory) {
    try {
      OwnFolders.delete(build.toPath(), directory.toPath());
      PrivateFiles.folder(directory.toPath());
    } catch (IOException e) {
      throw PalusException.unwritable(directory.toPath(), e);
    }
  }

  static boolean holdsTraces(File directory) {
    String[] traces = directory.list((folder, name) -> name.endsWith(".trace"));
    return traces != null && traces.length > 0;
  }

  /** Takes the execution data, which JaCoCo wrote, from everybody but its owner. */
  static void protect(File directory) {
    Path file = directory.toPath().resolve(EXECUTION_DATA);
    try {
      PrivateFiles.file(file);
    } catch (IOException e) {
      throw PalusException.unwritable(file, e);
    }
  }

  static void writeRun(File directory, long tests, long millis) {
    String seconds = String.format(Locale.ROOT, "%.1f", millis / 1000.0);
    // Not as Properties store it: with a date the same run would never be the same output.
    String text = "tests=" + tests + "\nseconds=" + seconds + "\n";
    Path file = directory.toPath().resolve(RUN);
    try {
      PrivateFiles.write(file, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw PalusException.unwritable(file, e);
    }
  }

  static Properties readRun(File directory) {
    Properties run = new Properties();
    Path file = directory.toPath().resolve(RUN);
    if (Files.isRegularFile(file)) {
      try (InputStream in = Files.newInputStream(file)) {
        run.load(in);
      } catch (IllegalArgumentException e) {
        run.clear(); // damaged: as if nothing had been traced yet
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return run;
  }
}
