package io.palus.host;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the tracing agent is told, as a properties file: a JVM argument is short and has rules of
 * quoting, a file has neither.
 */
public final class TraceOptions {
  private final List<String> lines = new ArrayList<>();

  /** Starts with the folder that trace files are written to. */
  public TraceOptions(Path output) {
    put("output", output.toAbsolutePath().toString());
    put("cap", Integer.toString(Defaults.TRACE_CAP));
    List<String> secrets = new ArrayList<>();
    // Recorded strings that hold one of these are kept as unknown.
    for (String property : List.of("user.home", "user.name", "java.io.tmpdir")) {
      String value = System.getProperty(property);
      if (value != null && value.length() > 2) {
        secrets.add(value);
      }
    }
    String host = System.getenv("HOSTNAME");
    if (host != null && host.length() > 2) {
      secrets.add(host);
    }
    putAll("secrets", secrets);
  }

  /** Folders of the subject's own compiled classes: what is recorded. */
  public TraceOptions classes(Iterable<Path> directories) {
    return putPaths("classes", directories);
  }

  /** Folders of compiled tests: what calls are recorded from. */
  public TraceOptions testClasses(Iterable<Path> directories) {
    return putPaths("testClasses", directories);
  }

  /** Writes the file. */
  public void write(Path file) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.ISO_8859_1)) {
        for (String line : lines) {
          writer.write(line);
          writer.write('\n');
        }
      }
    } catch (IOException e) {
      throw PalusException.configuration(
          "cannot write " + file + ": " + e, "Make the folder writable.", e);
    }
  }

  /** The argument that attaches the agent. */
  public static String jvmArgument(Path workerJar, Path file) {
    return "-javaagent:" + workerJar + "=" + file;
  }

  private TraceOptions putPaths(String key, Iterable<Path> directories) {
    List<String> texts = new ArrayList<>();
    for (Path directory : directories) {
      texts.add(directory.toAbsolutePath().toString());
    }
    putAll(key, texts);
    return this;
  }

  private void putAll(String key, List<String> values) {
    for (int i = 0; i < values.size(); i++) {
      put(key + "." + i, values.get(i));
    }
  }

  /** As {@link java.util.Properties#store}, without its comment, which holds the time of day. */
  private void put(String key, String value) {
    StringBuilder line = new StringBuilder(key).append('=');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\' || c == '#' || c == '!' || c == '=' || c == ':' || (c == ' ' && i == 0)) {
        line.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        line.append(String.format("\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    lines.add(line.toString());
  }
}
