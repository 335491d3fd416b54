package io.palus.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** The golden files that Rust and Java share. */
final class Goldens {
  private Goldens() {}

  /** A file below {@code native/wire/tests/golden}. */
  static Path file(String name) {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      Path file = folder.resolve("native/wire/tests/golden").resolve(name);
      if (Files.exists(file)) {
        return file;
      }
    }
    throw new AssertionError("no golden file " + name + " above the current folder");
  }

  /** Lines of a name, a blank and bytes in hexadecimal. */
  static Map<String, byte[]> bodies(String name) throws IOException {
    Map<String, byte[]> bodies = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file(name))) {
      int blank = line.indexOf(' ');
      bodies.put(line.substring(0, blank), HexFormat.of().parseHex(line.substring(blank + 1)));
    }
    return bodies;
  }
}
