package io.palus.worker;

import io.palus.worker.runtime.MissingFiles;
import io.palus.worker.runtime.Probes;
import java.io.IOException;

/**
 * Runs a sequence again where the files exist that it asked for and did not find: a program that
 * empties its folder {@code ledger} does nothing here, and harm where the user has one.
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
        String refused = MissingFiles.orOutside(kernel.since());
        String changed = user.changed();
        if (Probes.stop() == Probes.Stop.DENIED) {
          denied = Probes.denied();
        } else if (refused != null) {
          denied = refused;
        } else if (changed != null) {
          denied = "a change of " + changed;
        }
      }
      user.restore();
    }
    return denied == null ? null : denied + " if the user has one";
  }
}
