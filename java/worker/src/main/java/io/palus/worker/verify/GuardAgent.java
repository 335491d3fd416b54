package io.palus.worker.verify;

import io.palus.worker.Logging;
import io.palus.worker.instrument.GuardRules;
import io.palus.worker.instrument.Instrumenter;
import io.palus.worker.instrument.UnguardableException;
import io.palus.worker.runtime.Guard;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;

/**
 * Gives the classes of a verification JVM the guards that they have in a worker, but none of what
 * makes a worker repeatable: written tests run with real threads and random numbers, and with the
 * real clock or one that shows another date.
 */
public final class GuardAgent implements ClassFileTransformer {
  /** The agent's option that asks for this instead of tracing. */
  public static final String OPTION = "--guard";

  /** The same on another date. */
  public static final String OPTION_OTHER_DATE = "--guard-other-date";

  /** The last has a loader of its own; no class path can have classes in a package of the JDK's. */
  private static final String[] NOT_GUARDED = {
    "io/palus/worker/", "io/palus/agent/", "org/jacoco/", "sun/reflect/misc/"
  };

  /** Instead of a class that cannot take its guards: nothing can be made of it. */
  private static final byte[] NO_CLASS = {};

  /** The JDK's own, above the one of the class path. */
  private static final ClassLoader PLATFORM = ClassLoader.getSystemClassLoader().getParent();

  private final Instrumenter instrumenter = new Instrumenter(null, null);
  private final Logging logging = Logging.onClassPath();

  private GuardAgent() {}

  /**
   * Starts it, before any class of the project is loaded.
   *
   * @param instrumentation the JVM's
   * @param isOtherDate whether all code is to see another date
   * @throws IOException if the folder for temporary files cannot be resolved
   * @throws UnmodifiableClassException if the JVM shows no other date
   */
  public static void start(Instrumentation instrumentation, boolean isOtherDate)
      throws IOException, UnmodifiableClassException {
    GuardRules.onlyHarm();
    if (isOtherDate) {
      GuardRules.otherDate();
      DateShift.add(instrumentation);
    }
    String temporary = System.getProperty("java.io.tmpdir");
    Guard.set(temporary, null, () -> {}, () -> false, GuardRules::whyDenied);
    // JaCoCo's agent, which cannot do so, comes first: its ids are made of the bytes that it sees.
    instrumentation.addTransformer(new GuardAgent(), true);
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (name == null || loader == null || loader == PLATFORM || isJdks(domain)) {
      return null;
    }
    for (String start : NOT_GUARDED) {
      if (name.startsWith(start)) {
        return null;
      }
    }
    if (logging.has(name.replace('/', '.'))) {
      return null;
    }
    try {
      byte[] guarded = instrumenter.library(bytes);
      return guarded == bytes ? null : guarded;
    } catch (UnguardableException e) {
      return NO_CLASS;
    }
  }

  /** Some of the JDK's modules are loaded as the class path is. */
  private static boolean isJdks(ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
    URL place = source == null ? null : source.getLocation();
    return place != null && place.getProtocol().equals("jrt");
  }
}
