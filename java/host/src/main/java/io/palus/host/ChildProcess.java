package io.palus.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A short process of a tool. Comes in: a command and how long it may take. Goes out: its status and
 * the beginning of what it said. It is ended, with all that it started, when its time is over or
 * the build is cancelled. Does not know what the tool does.
 */
public final class ChildProcess {
  /** What is kept of what a process says; the rest is read and dropped. */
  private static final int KEPT = 1 << 20;

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private ChildProcess() {}

  /** How a process ended. */
  public static final class Ended {
    public final int status;

    /** The beginning of what it said, output and errors. */
    public final String said;

    private Ended(int status, String said) {
      this.status = status;
      this.said = said;
    }
  }

  /**
   * Runs a command and waits for its end.
   *
   * @throws IOException where it cannot be started
   * @throws PalusException where it does not end in time, or the thread is interrupted
   */
  public static Ended run(List<String> command, Path folder, Duration limit) throws IOException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      Reader reader = new Reader(process.getInputStream());
      reader.start();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw PalusException.configuration(
            command.get(0) + " did not end within " + limit.toSeconds() + " s",
            "run `" + String.join(" ", command) + "` to see why",
            null);
      }
      reader.join(PATIENCE.toMillis()); // Somebody it started may hold the pipe open.
      return new Ended(process.exitValue(), reader.said());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PalusException(PalusException.Kind.CANCELLED, "interrupted", "", e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** A read cannot be interrupted, and a process that hangs must be. */
  private static final class Reader extends Thread {
    private final InputStream in;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private Reader(InputStream in) {
      super("palus-child-process");
      setDaemon(true);
      this.in = in;
    }

    @Override
    public void run() {
      byte[] buffer = new byte[1 << 13];
      try {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          synchronized (said) {
            said.write(buffer, 0, Math.min(read, KEPT - said.size()));
          }
        }
      } catch (IOException e) {
        return; // It was ended.
      }
    }

    private String said() {
      synchronized (said) {
        return new String(said.toByteArray(), StandardCharsets.UTF_8);
      }
    }
  }
}
