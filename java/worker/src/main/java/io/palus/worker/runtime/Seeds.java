package io.palus.worker.runtime;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * What the JDK's generators of secure random numbers start from. It gathers that once in a JVM, for
 * whoever asks first, from the names of network interfaces and of temporary files among others:
 * what the kernel denies and notes of it is no doing of the subject's.
 */
public final class Seeds {
  private static boolean areGathered;

  private Seeds() {}

  /** A call of {@code SecureRandom.getInstance} follows. */
  public static synchronized void gather() {
    if (areGathered) {
      return;
    }
    areGathered = true;
    OwnUse.begin();
    try {
      for (String kind : new String[] {"SHA1PRNG", "DRBG"}) {
        draw(kind);
      }
    } finally {
      OwnUse.end();
    }
  }

  private static void draw(String kind) {
    try {
      SecureRandom.getInstance(kind).nextBytes(new byte[1]);
    } catch (NoSuchAlgorithmException e) {
      return; // a JDK without it gathers nothing for it
    }
  }
}
