package io.palus.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The commit that is compared with: where this branch left the revision that the user names, so
 * that what others did there since is no change of this branch. Comes in: a folder of the project,
 * and what names the revision. Goes out: the commit, and what is to be said of it. Does not know
 * what a commit holds.
 */
final class BaseCommit {
  /** Digits of a commit that people are shown. */
  private static final int SHOWN = 8;

  private final String hash;
  private final String said;

  private BaseCommit(String hash, String said) {
    this.hash = hash;
    this.said = said;
  }

  /**
   * Looks for it.
   *
   * @throws PalusException of kind {@link PalusException.Kind#CONFIGURATION} where there is no such
   *     revision
   */
  static BaseCommit of(Path project, String since) throws IOException {
    String tip =
        Git.answer(
            project,
            "there is no revision `" + since + "`",
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            since + "^{commit}");
    Optional<String> base = Git.find(project, "merge-base", tip, "HEAD");
    if (base.isEmpty()) {
      return new BaseCommit(
          tip,
          "compared with "
              + since
              + " as it is now: Git finds no commit here that both come from, as in a clone without"
              + " history, so what others changed there counts as a difference too");
    }
    String hash = base.get();
    return new BaseCommit(
        hash,
        hash.equals(tip)
            ? null
            : "compared with "
                + since
                + " as it was at "
                + hash.substring(0, SHOWN)
                + ", where this branch left it");
  }

  String hash() {
    return hash;
  }

  /** What is compared with, where the revision's name alone does not say it. */
  Optional<String> said() {
    return Optional.ofNullable(said);
  }
}
