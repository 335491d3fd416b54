package io.palus.worker.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * What a sequence holds weakly stays while it runs: when garbage is collected is a matter of
 * chance, and what the sequence reaches would be, too.
 */
public final class Referents {
  /** A sequence that holds more weakly may meet the collector. */
  private static final int MOST = 10_000;

  private static final List<Object> OF_SEQUENCE = new ArrayList<>();

  /** Static fields hold what class initialisers made. */
  private static final List<Object> OF_INITIALIZERS = new ArrayList<>();

  private Referents() {}

  /**
   * Before a reference is made.
   *
   * @param referent what it refers to
   */
  public static void hold(Object referent) {
    synchronized (OF_SEQUENCE) {
      List<Object> held = Probes.isInitializing() ? OF_INITIALIZERS : OF_SEQUENCE;
      if (held.size() < MOST) {
        held.add(referent);
      }
    }
  }

  // What the worker calls.

  /** After a sequence: nothing that it held stays for that. */
  public static void release() {
    synchronized (OF_SEQUENCE) {
      if (!OF_SEQUENCE.isEmpty()) {
        OF_SEQUENCE.clear();
      }
    }
  }

  /** Before classes are loaded anew: nothing is held any longer. */
  public static void renew() {
    synchronized (OF_SEQUENCE) {
      OF_SEQUENCE.clear();
      OF_INITIALIZERS.clear();
    }
  }
}
