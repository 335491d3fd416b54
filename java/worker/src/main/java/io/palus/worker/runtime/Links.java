package io.palus.worker.runtime;

import java.nio.file.Path;

/**
 * Symbolic links that the subject makes: one that leads out of its own files would pass for one of
 * them by its name, wherever it leads where the test runs.
 */
public final class Links {
  private Links() {}

  /**
   * Denies a link that is none of the subject's own files, or leads to another. A relative one is
   * denied, too: where it leads changes when it is moved.
   *
   * @param link where it is to be
   * @param target what it is to hold
   * @param what what the subject wanted to do
   */
  public static void made(Object link, Object target, String what) {
    Guard.path(link, what);
    if (!(link instanceof Path && target instanceof Path)) {
      return; // the JDK takes no others
    }
    if (!((Path) target).isAbsolute()) {
      Guard.deny(what);
    }
    Guard.path(target, what);
  }
}
