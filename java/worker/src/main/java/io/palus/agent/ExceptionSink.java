package io.palus.agent;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

/** Where the agent's own failures go: lines of {@code agent.log} in the output folder. */
final class ExceptionSink {
  private static final int MOST_LINES = 100;

  private static File folder;
  private static int lines;

  private ExceptionSink() {}

  static synchronized void open(File outputFolder) {
    folder = outputFolder;
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
    String text = line.replace('\n', ' ').replace('\r', ' ') + "\n";
    File log = new File(folder, "agent.log");
    Files.createDirectories(folder.toPath());
    PrivateFiles.create(log);
    Files.write(
        log.toPath(),
        text.getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
