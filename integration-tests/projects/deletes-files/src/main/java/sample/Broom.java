package sample;

import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Sweeps everything it is shown, and the project's own precious file without being shown. */
public class Broom {
  private int swept;

  public boolean sweep(File file) {
    File[] inside = file.listFiles();
    if (inside != null) {
      for (File one : inside) {
        sweep(one);
      }
    }
    swept++;
    return file.delete();
  }

  public void sweepHome() throws IOException {
    for (String key : new String[] {"user.dir", "user.home", "precious.folder"}) {
      String folder = System.getProperty(key);
      if (folder != null) {
        for (Path up = Paths.get(folder); up != null; up = up.getParent()) {
          Files.deleteIfExists(up.resolve("precious.txt"));
        }
      }
    }
  }

  public void scribble(String name) throws IOException {
    try (FileWriter writer = new FileWriter(new File(System.getProperty("precious.folder", "/"), "scribble.txt"))) {
      writer.write(name);
    }
  }

  public int count(int more) {
    return swept + (more > 0 ? more : 0);
  }
}
