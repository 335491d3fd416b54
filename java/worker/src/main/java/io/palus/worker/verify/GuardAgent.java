package io.palus.worker.verify;

import io.palus.worker.instrument.GuardRules;
import io.palus.worker.instrument.Instrumenter;
import io.palus.worker.runtime.Guard;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/**
 * Gives the classes of a verification JVM the guards that they have in a worker, but none of what
 * makes a worker repeatable: written tests run with the real clock, threads and random numbers.
 */
public final class GuardAgent implements ClassFileTransformer {
  /** The agent's option that asks for this instead of tracing. */
  public static final String OPTION = "--guard";

  private static final String[] NOT_GUARDED = {
    "java/",
    "javax/",
    "jdk/",
    "sun/",
    "com/sun/",
    "io/palus/worker/",
    "io/palus/agent/",
    "org/jacoco/"
  };

  private final Instrumenter instrumenter = new Instrumenter(null, null);

  private GuardAgent() {}

  /**
   * Starts it, before any class of the project is loaded.
   *
   * @param instrumentation the JVM's
   * @throws IOException if the folder for temporary files cannot be resolved
   */
  public static void start(Instrumentation instrumentation) throws IOException {
    GuardRules.onlyHarm();
    String temporary = System.getProperty("java.io.tmpdir");
    Guard.set(temporary, null, () -> {}, () -> false, GuardRules::whyDenied);
    // JaCoCo's agent, which cannot do so, comes first: its ids are made of the bytes that it sees.
    instrumentation.addTransformer(new GuardAgent(), true);
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (name == null || loader == null) {
      return null;
    }
    for (String start : NOT_GUARDED) {
      if (name.startsWith(start)) {
        return null;
      }
    }
    byte[] guarded = instrumenter.library(bytes);
    return guarded == bytes ? null : guarded;
  }
}
