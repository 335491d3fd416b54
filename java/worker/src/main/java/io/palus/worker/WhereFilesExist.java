package io.palus.worker;

import io.palus.worker.runtime.MissingFiles;
import io.palus.worker.runtime.Probes;
import io.palus.worker.runtime.Unset;
import java.io.IOException;

/**
 * Runs a sequence again where the files exist that it asked for and did not find, and where the
 * variables and properties are set that were not: a program that empties its folder {@code ledger},
 * or one that a variable names, does nothing here, and harm where the user has one.
 */
final class WhereFilesExist {
  /** How often what was made leads to more that is asked for. */
  private static final int DEEPEST = 3;

  private WhereFilesExist() {}

  /**
   * What is denied to it there; null if nothing is, or it asked for none.
   *
   * @param kernel tells what the kernel denies to it
   * @param again runs the sequence, with nothing denied yet
   */
  static String denied(UserFiles user, Denials kernel, Runnable again) throws IOException {
    String denied = whereMade(user, kernel, again);
    if (denied != null) {
      return denied + " if the user has one";
    }
    for (String value : Unset.areAsked() ? user.values() : new String[0]) {
      Unset.set(value);
      again.run();
      denied = harm(user, kernel);
      if (denied == null) {
        denied = whereMade(user, kernel, again);
      } else {
        user.restore();
      }
      Unset.set(null);
      if (denied != null) {
        return denied + " if the user sets a variable or property";
      }
    }
    return null;
  }

  private static String whereMade(UserFiles user, Denials kernel, Runnable again)
      throws IOException {
    String denied = null;
    if (MissingFiles.asked().isEmpty()) {
      return null;
    }
    for (int variant = 0; variant < 2 && denied == null; variant++) {
      boolean areFolders = variant == 0;
      for (int i = 0; i < DEEPEST && denied == null; i++) {
        if (!user.add(MissingFiles.asked(), areFolders)) {
          break;
        }
        again.run();
        denied = harm(user, kernel);
      }
      user.restore();
    }
    return denied;
  }

  /** What was denied to code that ran, or what it changed; null for nothing. */
  static String harm(UserFiles user, Denials kernel) {
    String refused = MissingFiles.orOutside(kernel.since());
    String changed = user.changed();
    if (Probes.stop() == Probes.Stop.DENIED) {
      return Probes.denied();
    }
    return refused != null || changed == null ? refused : "a change of " + changed;
  }
}
