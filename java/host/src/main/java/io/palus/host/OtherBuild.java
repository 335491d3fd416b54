package io.palus.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Collectors;

/**
 * A build of another revision by the build tool itself, in a process of its own and on the JDK of
 * this one. What it says is shown only where it fails.
 */
public final class OtherBuild {
  private static final int LINES = 30;

  private OtherBuild() {}

  /**
   * Runs a command and waits for its end.
   *
   * @param since what the revision is called
   * @throws PalusException of kind {@link PalusException.Kind#CONFIGURATION} where the build fails,
   *     with the last lines of what it said
   */
  public static void run(List<String> command, Path folder, String since) {
    Deque<String> last = new ConcurrentLinkedDeque<>();
    Process process = null;
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      process = builder.start();
      process.getOutputStream().close();
      InputStream said = process.getInputStream();
      // A read cannot be interrupted, and a build that hangs must be.
      Thread reader = new Thread(() -> read(said, last), "palus-other-build");
      reader.setDaemon(true);
      reader.start();
      int status = process.waitFor();
      reader.join();
      if (status == 0) {
        return;
      }
    } catch (IOException e) {
      throw PalusException.configuration(
          command.get(0) + " does not start: " + e.getMessage(), "check that it can be run", e);
    } catch (InterruptedException e) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      Thread.currentThread().interrupt();
      throw new PalusException(PalusException.Kind.CANCELLED, "interrupted", "", e);
    }
    throw PalusException.configuration(
        since
            + " does not build: "
            + last.stream()
                .map(SecretNames::withoutValues)
                .collect(Collectors.joining(System.lineSeparator())),
        "choose a revision that compiles with this build tool and JDK",
        null);
  }

  private static void read(InputStream said, Deque<String> last) {
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(said, Charset.defaultCharset()))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        last.add(line);
        if (last.size() > LINES) {
          last.remove();
        }
      }
    } catch (IOException e) {
      last.add(String.valueOf(e.getMessage())); // the build's end says the rest
    }
  }
}
