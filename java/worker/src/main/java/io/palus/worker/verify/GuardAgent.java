package io.palus.worker.verify;

import io.palus.worker.Logging;
import io.palus.worker.instrument.Ancestors;
import io.palus.worker.instrument.GarbageCalls;
import io.palus.worker.instrument.GuardRules;
import io.palus.worker.instrument.Instrumenter;
import io.palus.worker.runtime.Guard;
import io.palus.worker.runtime.HandOvers;
import java.io.File;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives the classes of a verification JVM the guards that they have in a worker, but none of what
 * makes a worker repeatable: written tests run with real threads and random numbers, and with the
 * real clock or one that shows another date.
 */
public final class GuardAgent implements ClassFileTransformer {
  /**
   * The agent's option that asks for this instead of tracing. Behind it and a colon may stand the
   * jar of the agent that measures coverage.
   */
  public static final String OPTION = "--guard";

  /** The same on another date, with another JDK and file system. */
  private static final String OPTION_ELSEWHERE = "--guard-elsewhere";

  /** The same, for the first run of tests that are to be written. */
  private static final String OPTION_FIRST = "--guard-first";

  /** Of the JDK's, with a loader of its own: it calls what reflection is asked for. */
  private static final String TRAMPOLINE = "sun/reflect/misc/Trampoline";

  private static final String TRAMPOLINES_LOADER = "sun.reflect.misc.MethodUtil";

  /**
   * Instead of a class that cannot take its guards: nothing can be made of it. Not empty, for then
   * the JVM goes on with the class as it is.
   */
  private static final byte[] NO_CLASS = {0};

  private static final ClassLoader SYSTEM = ClassLoader.getSystemClassLoader();

  /** The JDK's own, above the one of the class path. */
  private static final ClassLoader PLATFORM = SYSTEM.getParent();

  private static GuardAgent running;

  private final Instrumenter instrumenter = new Instrumenter(null, null);
  private final Logging logging = Logging.onClassPath();
  private final ClassLoadingMXBean loading = ManagementFactory.getClassLoadingMXBean();
  private final Instrumentation instrumentation;

  /** Null where the code is not looked at so closely. */
  private final WovenClasses woven;

  /** Where classes without guards come from: the jars of this agent and of JaCoCo's. */
  private final Set<String> agents;

  /** All that came by here, and what was there before. */
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /** Internal names of test classes that ask for garbage collection after each of their calls. */
  private final Set<String> collecting = ConcurrentHashMap.newKeySet();

  private long loaded;

  /** Internal name of the class that was last made none. */
  private volatile String refused;

  private GuardAgent(Instrumentation instrumentation, boolean isElsewhere, String coverageJar) {
    this.instrumentation = instrumentation;
    this.agents = agents(coverageJar);
    this.woven = isElsewhere ? new WovenClasses(coverageJar == null ? 1 : 2) : null;
  }

  /**
   * Starts it, before any class of the project is loaded.
   *
   * @param instrumentation the JVM's
   * @param options of the agent; those of {@code --guard-elsewhere} have all code see another date,
   *     and the subject's another machine
   * @throws IOException if the folder for temporary files cannot be resolved
   * @throws UnmodifiableClassException if the JVM shows no other date
   */
  public static void start(Instrumentation instrumentation, String options)
      throws IOException, UnmodifiableClassException {
    String[] parts = options.split(":", 2);
    boolean isElsewhere = parts[0].equals(OPTION_ELSEWHERE);
    GuardRules.onlyHarm();
    HandOvers.seeThreads();
    Ancestors.of(SYSTEM::getResourceAsStream);
    if (isElsewhere) {
      GuardRules.elsewhere();
      DateShift.add(instrumentation);
    } else if (parts[0].equals(OPTION_FIRST)) {
      GuardRules.denyHeldBack();
    }
    String temporary = System.getProperty("java.io.tmpdir");
    Guard.set(temporary, null, () -> {}, () -> false, GuardRules::whyDenied);
    // JaCoCo's agent, which cannot do so, comes first: its ids are made of the bytes that it sees.
    running = new GuardAgent(instrumentation, isElsewhere, parts.length == 1 ? null : parts[1]);
    running.unknown();
    instrumentation.addTransformer(running, true);
  }

  /** Has classes and frames of a build tool beside the tests; a folder takes a jar for that. */
  static void pretendBuildTool(File folder) throws IOException {
    if (running != null) {
      BuildTool.pretend(folder, running.instrumentation);
    }
  }

  /** Has a test class, which is not loaded yet, ask for garbage collection after each call. */
  static void collectIn(String type) {
    if (running != null) {
      running.collecting.add(type.replace('.', '/'));
    }
  }

  /**
   * A class that got no guards since this was last asked, whether it could not be loaded for that
   * or came without: the JVM goes on with a class as it is where stack or memory end before this
   * agent is asked. Null for none. Without guards it might have done what nobody sees.
   */
  static String withoutGuards() {
    return running == null ? null : running.next(null);
  }

  /**
   * The same of classes that a loader defined alone, which takes no time where it is a loader of
   * ours: then all that the JVM holds need not be gone through.
   */
  static String withoutGuards(ClassLoader loader) {
    return running == null ? null : running.next(loader);
  }

  private String next(ClassLoader loader) {
    String name = refused;
    refused = null;
    if (name != null) {
      return name.replace('/', '.');
    }
    return loader instanceof AnewLoader ? unknownOf((AnewLoader) loader) : unknown();
  }

  /** A class that this loader defined and that never came by, or null. */
  private String unknownOf(AnewLoader loader) {
    String unknown = null;
    for (String name : loader.defined()) {
      unknown = isMissed(loader, name, null) ? name : unknown;
    }
    return unknown;
  }

  /** A class that was loaded and never came by, or null; it is known from now on. */
  private String unknown() {
    long now = loading.getTotalLoadedClassCount();
    if (now == loaded) {
      return null;
    }
    loaded = now;
    String unknown = null;
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      ClassLoader loader = type.getClassLoader();
      if (loader != null && loader != PLATFORM && !type.isArray()) {
        String name = type.getName();
        boolean comesBy = name.indexOf('/') < 0; // hidden classes do not
        unknown = comesBy && isMissed(loader, name, type) ? name : unknown;
      }
    }
    return unknown;
  }

  /**
   * Whether a class never came by; it is known from now on. What this agent itself needs is loaded
   * while it is at work, and does not come by.
   *
   * @param type the class; null for one of the class path
   */
  private boolean isMissed(ClassLoader loader, String name, Class<?> type) {
    return known.add(key(loader, name))
        && !(type != null && isExempt(loader, name.replace('.', '/'), type.getProtectionDomain()));
  }

  private static String key(ClassLoader loader, String name) {
    return System.identityHashCode(loader) + " " + name;
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (name == null || loader == null) {
      return null;
    }
    try {
      boolean isGuarded = isGuarded(loader, name, domain);
      if (isGuarded && woven != null && woven.have(loader, name, bytes)) {
        refused = name + " as an agent of the project makes it";
        return NO_CLASS;
      }
      byte[] guarded = isGuarded ? instrumenter.library(bytes) : bytes;
      guarded = collecting.contains(name) ? GarbageCalls.add(guarded) : guarded;
      known.add(key(loader, name.replace('/', '.')));
      return guarded == bytes ? null : guarded;
    } catch (Throwable e) {
      // Whatever it is, also the end of stack or memory: the JVM would take the class as it is.
      refused = name;
      return NO_CLASS;
    }
  }

  private boolean isGuarded(ClassLoader loader, String name, ProtectionDomain domain) {
    return !isExempt(loader, name, domain) && !logging.has(name.replace('/', '.'));
  }

  /**
   * Whether a class is of the JDK or of an agent. Its loader says so, and for the loader of the
   * class path where the class comes from: another loader says of that what it likes, and a name is
   * anybody's.
   */
  private boolean isExempt(ClassLoader loader, String name, ProtectionDomain domain) {
    if (loader == SYSTEM) {
      return isJdks(domain) || agents.contains(place(domain));
    }
    return loader == PLATFORM || isTrampoline(loader, name);
  }

  private static boolean isTrampoline(ClassLoader loader, String name) {
    Class<?> type = loader.getClass();
    return name.equals(TRAMPOLINE)
        && type.getClassLoader() == null
        && type.getName().equals(TRAMPOLINES_LOADER);
  }

  /** Some of the JDK's modules are loaded as the class path is. */
  private static boolean isJdks(ProtectionDomain domain) {
    URL location = location(domain);
    return location != null && location.getProtocol().equals("jrt");
  }

  /** The file that a class comes from; empty where there is none. */
  private static String place(ProtectionDomain domain) {
    URL location = location(domain);
    return location != null && location.getProtocol().equals("file") ? location.getPath() : "";
  }

  /** Nothing of somebody's own is called: what it loads now would not come by. */
  private static URL location(ProtectionDomain domain) {
    if (domain == null || domain.getClass() != ProtectionDomain.class) {
      return null;
    }
    CodeSource source = domain.getCodeSource();
    return source == null || source.getClass() != CodeSource.class ? null : source.getLocation();
  }

  /** Agents of the project get guards as its libraries do. */
  private static Set<String> agents(String coverageJar) {
    Set<String> agents = new HashSet<>();
    agents.add(place(GuardAgent.class.getProtectionDomain()));
    if (coverageJar != null) {
      try {
        URI file = new File(coverageJar).getCanonicalFile().toURI();
        agents.add(file.getRawPath());
        // As the loader of the class path has it, which writes no letter beyond ASCII.
        agents.add(URI.create(file.toASCIIString()).getRawPath());
      } catch (IOException e) {
        return agents; // its classes get guards
      }
    }
    return agents;
  }
}
