package io.palus.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the tracing agent is told, as a properties file: a JVM argument is short and has rules of
 * quoting, a file has neither.
 */
public final class TraceOptions {
  private static final Set<String> COMMON =
      Set.of("root", "user", "admin", "test", "build", "runner", "jenkins", "localhost");

  private final List<String> lines = new ArrayList<>();

  /** Starts with the folder that trace files are written to and the project's own. */
  public TraceOptions(Path output, Path project) {
    put("output", output.toAbsolutePath().toString());
    put("cap", Integer.toString(Defaults.TRACE_CAP));
    putAll("secrets", secrets(project));
  }

  /**
   * Recorded strings that hold one of these are kept as unknown: they differ from machine to
   * machine or tell of one.
   */
  private static List<String> secrets(Path project) {
    Set<String> secrets = new TreeSet<>();
    secrets.add(project.toAbsolutePath().toString());
    for (String property : List.of("user.home", "java.io.tmpdir", "user.name")) {
      addSecret(secrets, System.getProperty(property));
    }
    addSecret(secrets, System.getenv("HOSTNAME"));
    return new ArrayList<>(secrets);
  }

  private static void addSecret(Set<String> secrets, String value) {
    // Too short to be told from ordinary text, or what half of all machines have.
    if (value != null && value.length() > 2 && !COMMON.contains(value)) {
      secrets.add(value);
    }
  }

  /** Folders of the subject's own compiled classes: what is recorded. */
  public TraceOptions classes(Iterable<Path> directories) {
    return putPaths("classes", directories);
  }

  /** Folders of compiled tests: what calls are recorded from. */
  public TraceOptions testClasses(Iterable<Path> directories) {
    return putPaths("testClasses", directories);
  }

  /**
   * Where properties of the test JVM hold a secret, whatever their names say: the file names the
   * places, and not the secret.
   */
  public TraceOptions secretPlaces(Map<String, int[]> places) {
    List<String> texts = new ArrayList<>();
    places.forEach((name, place) -> texts.add(place[0] + " " + place[1] + " " + name));
    putAll("secretPlaces", texts);
    return this;
  }

  /**
   * Whether coverage is measured by an agent of ours: the members that it adds to classes are then
   * none of the program's either.
   */
  public TraceOptions measuresCoverage(boolean isOurs) {
    put("measuresCoverage", Boolean.toString(isOurs));
    return this;
  }

  /** Writes the file. */
  public void write(Path file) {
    String text = lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    try {
      PrivateFiles.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw PalusException.unwritable(file, e);
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
