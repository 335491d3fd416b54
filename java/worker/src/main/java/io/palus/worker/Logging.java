package io.palus.worker;

import io.palus.worker.instrument.LoggingRules;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Libraries that write logs. Where they come from jars they are surroundings of the subject, as the
 * JDK is: begun once, before any code of the subject's, with no guards. When they begin they read
 * files, properties and the name of the machine, and tell of it by hooks and beans; a class that
 * does no more than to hold a logger must not be blamed for that. The kernel's walls hold for them,
 * and what other code may do with them is in {@link LoggingRules}.
 */
public final class Logging {
  /** Classes with a static method that makes a logger of a name. */
  private static final String[][] FACTORIES = {
    {"org.slf4j.LoggerFactory", "getLogger"},
    {"org.apache.commons.logging.LogFactory", "getLog"},
    {"org.apache.logging.log4j.LogManager", "getLogger"},
    {"org.apache.log4j.Logger", "getLogger"},
    {"org.jboss.logging.Logger", "getLogger"},
    {"org.tinylog.Logger", "tag"},
  };

  /** Log4j 2 begins anew for each class loader unless this says that one is enough. */
  private static final String SELECTOR = "log4j2.contextSelector";

  private static final String ONE_CONTEXT =
      "org.apache.logging.log4j.core.selector.BasicContextSelector";

  /** The first of each line is implemented by the others, which must see the same types of it. */
  private static final String[][] IMPLEMENTED = {
    {"org/slf4j/", "ch/qos/logback/", "org/apache/logging/", "org/tinylog/"},
    {"org/apache/commons/logging/", "org/apache/logging/", "org/tinylog/"},
  };

  /** How long one may take to begin. */
  private static final long PATIENCE_MILLIS = 10_000;

  /** Of those that are surroundings. */
  private final List<String> packages;

  private Logging(List<String> packages) {
    this.packages = packages;
  }

  /**
   * Those of a class path. One of which a folder on it has classes is what is tested, and no part
   * of the surroundings; nor is what implements it.
   *
   * @param entries folders and jars
   * @return them
   */
  public static Logging on(Iterable<File> entries) {
    List<String> packages = new ArrayList<>(LoggingRules.packages());
    for (File entry : entries) {
      for (String name : LoggingRules.packages()) {
        if (new File(entry, name).isDirectory()) {
          packages.remove(name);
          for (String[] implemented : IMPLEMENTED) {
            if (implemented[0].equals(name)) {
              packages.removeAll(Arrays.asList(implemented));
            }
          }
        }
      }
    }
    return new Logging(packages);
  }

  /**
   * Those of the class path of this JVM.
   *
   * @return them
   */
  public static Logging onClassPath() {
    return on(classPath());
  }

  /**
   * The class path of this JVM.
   *
   * @return folders and jars
   */
  public static List<File> classPath() {
    List<File> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      entries.add(new File(entry));
    }
    return entries;
  }

  /**
   * Whether a class belongs to one.
   *
   * @param className binary name
   * @return true if it is part of the surroundings
   */
  public boolean has(String className) {
    String name = className.replace('.', '/');
    return packages.stream().anyMatch(name::startsWith);
  }

  /**
   * Begins those that there are; what goes wrong in it goes wrong where the subject uses them, too.
   *
   * @param loader of their classes
   */
  public void begin(ClassLoader loader) {
    begin(loader, PATIENCE_MILLIS);
  }

  /**
   * The same with another patience; what is left of it for the others halves with each that hangs.
   */
  void begin(ClassLoader loader, long patienceMillis) {
    LoggingRules.begin(packages);
    String selector = System.getProperty(SELECTOR);
    System.setProperty(SELECTOR, ONE_CONTEXT);
    try {
      long patience = patienceMillis;
      for (String[] factory : FACTORIES) {
        if (has(factory[0]) && hangs(() -> make(factory, loader), loader, patience)) {
          patience = Math.max(1, patience / 2);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (selector == null) {
        System.clearProperty(SELECTOR);
      } else {
        System.setProperty(SELECTOR, selector);
      }
    }
  }

  /** Whether a beginning takes longer than that; it then goes on beside all else. */
  private static boolean hangs(Runnable beginning, ClassLoader loader, long patienceMillis)
      throws InterruptedException {
    Thread thread = new Thread(beginning, "palus-logging");
    thread.setDaemon(true);
    thread.setContextClassLoader(loader);
    thread.start();
    thread.join(patienceMillis);
    return thread.isAlive();
  }

  private static void make(String[] factory, ClassLoader loader) {
    try {
      Class<?> type = Class.forName(factory[0], true, loader);
      type.getMethod(factory[1], String.class).invoke(null, "palus");
    } catch (Throwable e) { // an initialiser of theirs may throw anything
      return; // it is not there, or does not work
    }
  }
}
