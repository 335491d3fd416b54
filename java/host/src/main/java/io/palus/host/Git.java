package io.palus.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The user's own Git, asked about the repository that a folder lies in. Comes in: the folder, and
 * arguments that change nothing. Goes out: what Git says. Does not know what is asked.
 */
final class Git {
  /** What ended a call, and what it said. */
  private final int status;

  private final String said;

  private Git(int status, String said) {
    this.status = status;
    this.said = said;
  }

  /**
   * What Git answers, without the end of the line.
   *
   * @throws PalusException of kind {@link PalusException.Kind#CONFIGURATION} where it fails, with
   *     these words
   */
  static String answer(Path folder, String otherwise, String... arguments) throws IOException {
    Git git = ask(folder, arguments);
    if (git.status == 0) {
      return git.said;
    }
    throw PalusException.configuration(
        otherwise + " in " + folder + (git.said.isEmpty() ? "" : " (" + git.said + ")"),
        "name a branch, tag or commit that `git log` knows there",
        null);
  }

  /** The same; nothing where it fails. */
  static Optional<String> find(Path folder, String... arguments) throws IOException {
    Git git = ask(folder, arguments);
    return git.status == 0 ? Optional.of(git.said) : Optional.empty();
  }

  private static Git ask(Path folder, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(arguments));
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw PalusException.configuration(
          "`git` does not start: " + e.getMessage(), "install Git, or add it to the path", e);
    }
    process.getOutputStream().close();
    String said;
    try (InputStream out = process.getInputStream()) {
      said = new String(out.readAllBytes(), StandardCharsets.UTF_8).trim();
    }
    try {
      return new Git(process.waitFor(), said);
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new PalusException(PalusException.Kind.CANCELLED, "interrupted", "", e);
    }
  }
}
