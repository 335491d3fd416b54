package io.palus.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The options file: where to write, what to record, what is nobody's business. */
final class AgentSettings {
  static final int DEFAULT_CAP = 10_000;

  final File output;
  final List<File> classes;
  final List<File> testClasses;

  /** Entries per method before no new objects are recorded; 0 for no end. */
  final int cap;

  final List<String> secrets;

  /** Properties that hold a secret, whatever their names say: from where to where in the value. */
  final Map<String, int[]> secretPlaces = new HashMap<>();

  /** Whether JaCoCo is there because of us. */
  final boolean measuresCoverage;

  private AgentSettings(Properties properties) {
    String folder = properties.getProperty("output");
    if (folder == null || folder.isEmpty()) {
      throw new IllegalArgumentException("the agent's options do not say `output`");
    }
    output = new File(folder);
    classes = files(properties, "classes");
    testClasses = files(properties, "testClasses");
    cap = cap(properties.getProperty("cap"));
    measuresCoverage = "true".equals(properties.getProperty("measuresCoverage"));
    for (String place : values(properties, "secretPlaces")) {
      String[] words = place.split(" ", 3);
      int[] range = {Integer.parseInt(words[0]), Integer.parseInt(words[1])};
      secretPlaces.put(words[2], range);
    }
    secrets = new ArrayList<>();
    for (String secret : values(properties, "secrets")) {
      addSecret(secret);
    }
    for (String name : new String[] {"user.dir", "java.io.tmpdir", "user.home", "user.name"}) {
      addSecret(System.getProperty(name));
    }
    addSecret(hostName());
  }

  static AgentSettings read(File file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader =
        new InputStreamReader(Files.newInputStream(file.toPath()), StandardCharsets.UTF_8)) {
      properties.load(reader);
    }
    return new AgentSettings(properties);
  }

  private static int cap(String text) {
    if (text == null || text.isEmpty()) {
      return DEFAULT_CAP;
    }
    try {
      int cap = Integer.parseInt(text);
      if (cap >= 0) {
        return cap;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new IllegalArgumentException("the agent's option `cap` is `" + text + "`, not a count");
  }

  private void addSecret(String secret) {
    // Too short to mean anything, or the same everywhere.
    if (secret == null || secret.length() < 3 || secret.equals("localhost")) {
      return;
    }
    String bare =
        secret.endsWith(File.separator) ? secret.substring(0, secret.length() - 1) : secret;
    if (bare.length() >= 3 && !secrets.contains(bare)) {
      secrets.add(bare);
    }
  }

  /** As the environment and the system's files say it; a look-up would ask the network. */
  private static String hostName() {
    String name = System.getenv("HOSTNAME");
    if (name == null) {
      name = System.getenv("COMPUTERNAME");
    }
    for (String place : new String[] {"/etc/hostname", "/proc/sys/kernel/hostname"}) {
      try {
        File file = new File(place);
        if (name == null && file.isFile()) {
          name = new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8).trim();
        }
      } catch (IOException | RuntimeException e) {
        continue; // The next one may say it.
      }
    }
    return name;
  }

  private static List<File> files(Properties properties, String key) {
    List<File> files = new ArrayList<>();
    for (String value : values(properties, key)) {
      files.add(new File(value));
    }
    return files;
  }

  private static List<String> values(Properties properties, String key) {
    List<String> values = new ArrayList<>();
    for (int i = 0; properties.getProperty(key + "." + i) != null; i++) {
      values.add(properties.getProperty(key + "." + i));
    }
    return values;
  }
}
