package io.palus.maven;

import io.palus.host.PalusException;
import io.palus.host.PrivateFiles;
import io.palus.host.TestReports;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * What the traces on disk were made from. While the tests run the record is begun; when they have
 * run it is complete; and once tests were generated from it, a build that changed nothing needs
 * neither trace nor generation.
 */
final class TraceRecord {
  private final Layout layout;
  private final Properties properties = new Properties();

  TraceRecord(Layout layout) {
    this.layout = layout;
    if (Files.isRegularFile(layout.traceRecord(), LinkOption.NOFOLLOW_LINKS)) {
      try (InputStream in = Files.newInputStream(layout.traceRecord())) {
        properties.load(in);
      } catch (IOException | IllegalArgumentException e) {
        properties.clear(); // As if nothing had been traced yet.
      }
    }
  }

  /**
   * Whether the tests ran to their end on exactly this and left traces. A run of none does not
   * count: what made Surefire leave them out may be mended where no digest sees it.
   */
  boolean isCompleteFor(String digest) {
    return isSet("complete")
        && digest.equals(properties.getProperty("digest"))
        && hasTraces()
        && !"0".equals(tests());
  }

  /** Whether tests were generated from these traces. */
  boolean isGenerated() {
    return isSet("generated");
  }

  /** Whether the tests have been started with the agent, and nobody looked since. */
  boolean isBegun() {
    return !properties.isEmpty() && !isSet("complete");
  }

  boolean hasTraces() {
    return !Layout.files(layout.traces(), ".trace").isEmpty();
  }

  /** Puts the old traces away: the tests are about to run under the agent. */
  void begin(String digest) {
    try {
      layout.delete(layout.traces());
      Files.deleteIfExists(layout.executionData());
      PrivateFiles.folder(layout.traces());
    } catch (IOException e) {
      throw PalusException.unwritable(layout.work(), e);
    }
    properties.clear();
    properties.setProperty("digest", digest);
    properties.setProperty("started", Long.toString(System.currentTimeMillis()));
    save();
  }

  /** Remembers how long a file is before tests add their execution data to it. */
  void watch(Path executionData) {
    File file = executionData.toFile();
    properties.setProperty("jacocoLength", Long.toString(file.length()));
    save();
  }

  /** Copies what the tests of this build added to a file of the project's own JaCoCo. */
  void takeExecutionData(Path executionData) {
    File file = executionData.toFile();
    long before = number("jacocoLength");
    try (InputStream in = Files.newInputStream(executionData)) {
      // A file that has not grown was written anew.
      in.skip(file.length() > before ? before : 0);
      Files.copy(in, layout.executionData(), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      // Without it the coverage before is shown as none; the tests are the same.
    }
  }

  /**
   * The tests have run.
   *
   * @param isCounted whether the reports would have told of all tests, so that none means none
   */
  void complete(TestReports reports, boolean isCounted) {
    try {
      PrivateFiles.file(layout.executionData());
    } catch (IOException e) {
      throw PalusException.unwritable(layout.executionData(), e);
    }
    properties.setProperty("complete", "true");
    if (isCounted || reports.tests() > 0) {
      properties.setProperty("tests", Long.toString(reports.tests()));
    }
    double seconds = (System.currentTimeMillis() - started()) / 1000.0;
    properties.setProperty("seconds", String.format(Locale.ROOT, "%.1f", seconds));
    save();
  }

  void generated() {
    properties.setProperty("generated", "true");
    save();
  }

  /** When the tests were started, in the milliseconds of file times. */
  long started() {
    return number("started");
  }

  /** Null where nobody knows. */
  String tests() {
    return matching("tests", "[0-9]{1,18}");
  }

  /** Null where nobody knows. */
  String seconds() {
    return matching("seconds", "[0-9]{1,9}[.][0-9]");
  }

  /** The file may be damaged; then it is as if nothing were known. */
  private String matching(String key, String form) {
    String text = properties.getProperty(key);
    return text != null && text.matches(form) ? text : null;
  }

  private long number(String key) {
    String text = matching(key, "[0-9]{1,18}");
    return text == null ? 0 : Long.parseLong(text);
  }

  private boolean isSet(String key) {
    return Boolean.parseBoolean(properties.getProperty(key));
  }

  private void save() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      properties.store(text, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Nothing is written to a disk yet.
    }
    layout.write(layout.traceRecord(), text.toByteArray());
  }

  /**
   * A digest of all that a traced run depends on: compiled classes and tests by content, jars by
   * size and time, the test JVM.
   */
  static String digest(Layout layout, List<String> classPath, List<String> testRun) {
    MessageDigest digest = sha256();
    try {
      for (Path directory : List.of(layout.classes(), layout.testClasses())) {
        for (Path file : Layout.files(directory, "")) {
          update(digest, directory.relativize(file).toString());
          digest.update(Files.readAllBytes(file));
        }
      }
      for (String entry : classPath) {
        Path file = Paths.get(entry);
        update(digest, entry);
        if (Files.isRegularFile(file)) {
          update(digest, Files.size(file) + " " + Files.getLastModifiedTime(file).toMillis());
        } else if (!file.equals(layout.classes()) && !file.equals(layout.testClasses())) {
          for (Path other : Layout.files(file, "")) { // Another module of this build.
            update(digest, file.relativize(other).toString());
            digest.update(Files.readAllBytes(other));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    testRun.forEach(argument -> update(digest, argument));
    update(digest, io.palus.host.WorkerJar.path().toString());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
  }

  private static void update(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
