package io.palus.worker;

import io.palus.worker.instrument.LoggingRules;
import java.io.File;
import java.util.ArrayList;
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

  private final boolean isOfSubject;

  private Logging(boolean isOfSubject) {
    this.isOfSubject = isOfSubject;
  }

  /**
   * Those of a class path. Where a folder on it has classes of one, that is what is tested, and
   * none of them is part of the surroundings.
   *
   * @param entries folders and jars
   * @return them
   */
  public static Logging on(Iterable<File> entries) {
    for (File entry : entries) {
      for (String name : LoggingRules.packages()) {
        if (new File(entry, name).isDirectory()) {
          return new Logging(true);
        }
      }
    }
    return new Logging(false);
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
    return !isOfSubject && LoggingRules.packages().stream().anyMatch(name::startsWith);
  }

  /**
   * Begins those that there are; what goes wrong in it goes wrong where the subject uses them, too.
   *
   * @param loader of their classes
   */
  public void begin(ClassLoader loader) {
    if (isOfSubject) {
      return;
    }
    LoggingRules.begin();
    Thread current = Thread.currentThread();
    ClassLoader before = current.getContextClassLoader();
    current.setContextClassLoader(loader);
    String selector = System.getProperty(SELECTOR);
    System.setProperty(SELECTOR, ONE_CONTEXT);
    for (String[] factory : FACTORIES) {
      try {
        Class<?> type = Class.forName(factory[0], true, loader);
        type.getMethod(factory[1], String.class).invoke(null, "palus");
      } catch (ReflectiveOperationException | LinkageError e) {
        continue; // it is not there, or does not work
      }
    }
    if (selector == null) {
      System.clearProperty(SELECTOR);
    } else {
      System.setProperty(SELECTOR, selector);
    }
    current.setContextClassLoader(before);
  }
}
