package io.palus.worker;

import io.palus.worker.runtime.MissingFiles;
import io.palus.worker.runtime.Probes;
import io.palus.worker.runtime.Unset;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Runs a sequence again where the variables and properties are set that it asked for and that are
 * not: a program that empties the folder which a variable names does nothing here, and harm where
 * the user sets it.
 */
final class WhereVariablesAreSet {
  private WhereVariablesAreSet() {}

  /**
   * What is denied to it there; null if nothing is, or it asked for none.
   *
   * @param texts of classes, which may compare a variable with them
   * @param kernel tells what the kernel denies to it
   * @param again runs the sequence, with nothing denied yet
   */
  static String denied(UserFiles user, StringConstants texts, Denials kernel, Runnable again)
      throws IOException {
    for (String value : Unset.areAsked() ? values(user, texts) : new LinkedHashSet<String>()) {
      Unset.set(value);
      kernel.mark();
      again.run();
      String denied = harm(user, kernel);
      Unset.set(null);
      if (denied != null) {
        user.repair();
        return denied + " if the user sets a variable or property";
      }
    }
    return null;
  }

  private static Set<String> values(UserFiles user, StringConstants texts) {
    Set<String> values = new LinkedHashSet<>(Arrays.asList(user.values()));
    if (!values.isEmpty()) {
      Unset.asking().forEach(name -> values.addAll(texts.near(name)));
    }
    return values;
  }

  /** What was denied to code that ran, or what it changed; null for nothing. */
  static String harm(UserFiles user, Denials kernel) {
    String refused = MissingFiles.orOutside(kernel.since());
    kernel.pause();
    String changed = user.changed();
    kernel.resume();
    if (Probes.stop() == Probes.Stop.DENIED) {
      return Probes.denied();
    }
    return changed == null ? refused : "a change of " + changed;
  }
}
