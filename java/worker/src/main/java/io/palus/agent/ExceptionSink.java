package io.palus.agent;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/**
 * Where the agent's own failures go: lines of {@code agent.log} in the output folder. The file is
 * opened before the program runs: later somebody may be asked whether it may be.
 */
final class ExceptionSink {
  private static final int MOST_LINES = 100;

  private static File folder;
  private static OutputStream log;
  private static int lines;

  private ExceptionSink() {}

  /** The folder for what is told from now on. */
  static synchronized void open(File outputFolder) {
    folder = outputFolder;
  }

  /** Opens the file. */
  static synchronized void begin() throws IOException {
    Files.createDirectories(folder.toPath());
    File file = new File(folder, "agent.log");
    PrivateFiles.create(file);
    log = new FileOutputStream(file, true);
  }

  /** Writes one line; never throws. */
  static void report(String what, Throwable cause) {
    try {
      String line = cause == null ? what : what + ": " + cause;
      write(Secrets.current().holds(line) ? what + ": " + cause.getClass().getName() : line);
    } catch (Throwable ignored) {
      // Nothing is left to be told to.
    }
  }

  private static synchronized void write(String line) throws IOException {
    if (folder == null || lines == MOST_LINES) {
      return;
    }
    lines++;
    if (log == null) {
      begin();
    }
    String text = line.replace('\n', ' ').replace('\r', ' ') + "\n";
    log.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
