package inputs;

import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that exist and have content. */
public class Settings {
  public String load(File file) throws IOException {
    if (!file.exists()) {
      return "none";
    }
    try (FileReader reader = new FileReader(file)) {
      return reader.read() == '#' ? "reached a comment in a file" : "reached a file";
    }
  }

  public String first(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      return "none";
    }
    for (String line : Files.readAllLines(path)) {
      if (line.equals("on")) {
        return "reached a line of a path";
      }
    }
    return "off";
  }
}
