package io.palus.worker.instrument;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What other code may do with libraries that write logs, where these are surroundings without
 * guards: make loggers and write logs. All else is denied, such as to make an appender, which opens
 * files, or to add what runs when the JVM ends.
 */
public final class LoggingRules {
  private static final String[] PACKAGES = {
    "org/slf4j/",
    "ch/qos/logback/",
    "org/apache/commons/logging/",
    "org/apache/logging/",
    "org/apache/log4j/",
    "org/jboss/logging/",
    "org/jboss/logmanager/",
    "org/tinylog/",
    "com/google/common/flogger/"
  };

  private static final Set<String> CLASSES =
      words(
          "org/slf4j/Logger org/slf4j/LoggerFactory org/slf4j/MDC org/slf4j/MDC$MDCCloseable"
              + " org/slf4j/Marker org/slf4j/MarkerFactory org/slf4j/event/Level"
              + " org/slf4j/spi/LoggingEventBuilder"
              + " org/apache/commons/logging/Log org/apache/commons/logging/LogFactory"
              + " org/apache/logging/log4j/Logger org/apache/logging/log4j/LogManager"
              + " org/apache/logging/log4j/LogBuilder org/apache/logging/log4j/Level"
              + " org/apache/logging/log4j/Marker org/apache/logging/log4j/MarkerManager"
              + " org/apache/logging/log4j/ThreadContext"
              + " org/apache/log4j/Logger org/apache/log4j/Category org/apache/log4j/LogManager"
              + " org/apache/log4j/Level org/apache/log4j/Priority org/apache/log4j/MDC"
              + " org/jboss/logging/Logger org/jboss/logging/BasicLogger org/jboss/logging/MDC"
              + " org/jboss/logging/Logger$Level org/jboss/logging/DelegatingBasicLogger"
              + " org/tinylog/Logger org/tinylog/TaggedLogger"
              + " com/google/common/flogger/FluentLogger"
              + " com/google/common/flogger/FluentLogger$Api"
              + " com/google/common/flogger/LoggingApi");

  /** Whole names. */
  private static final Set<String> NAMES =
      words(
          "getLogger getLog getMessageLogger getRootLogger getFormatterLogger getName getLevel"
              + " getMarker getDetachedMarker setMessage setCause addMarker addArgument addKeyValue"
              + " withThrowable withMarker withLocation entry exit catching throwing tag"
              + " forEnclosingClass with every values valueOf name ordinal toInt intLevel"
              + " put get remove clear push pop peek putCloseable close"
              + " toString equals hashCode compareTo");

  /** Beginnings of names. */
  private static final String[] BEGINNINGS = {
    "trace", "debug", "info", "warn", "error", "fatal", "log", "is", "at"
  };

  /** Hibernate's and others' loggers are made by an annotation processor, and extend this one. */
  private static final String MADE_BY_PROCESSOR = "org/jboss/logging/DelegatingBasicLogger";

  /** Those that are surroundings. */
  private static volatile List<String> on = Collections.emptyList();

  private LoggingRules() {}

  private static Set<String> words(String text) {
    return new HashSet<>(Arrays.asList(text.split(" ")));
  }

  /**
   * From now on they hold.
   *
   * @param packages of the libraries that are surroundings, out of {@link #packages}
   */
  public static void begin(List<String> packages) {
    on = new ArrayList<>(packages);
  }

  /**
   * Packages of such libraries.
   *
   * @return internal names, with a slash at the end
   */
  public static List<String> packages() {
    return Arrays.asList(PACKAGES);
  }

  /** Whether a class belongs to such a library. */
  static boolean knows(String owner) {
    for (String start : on) {
      if (owner.startsWith(start)) {
        return true;
      }
    }
    return false;
  }

  /** Whether other code may not call it. */
  static boolean denies(String owner, String name) {
    return knows(owner) && !mayBeCalled(owner, name);
  }

  /** Whether other code may not extend it: its own constructor would call what is denied. */
  static boolean deniesHeirs(String owner) {
    return knows(owner) && !owner.equals(MADE_BY_PROCESSOR);
  }

  private static boolean mayBeCalled(String owner, String name) {
    if (!CLASSES.contains(owner)) {
      return false;
    }
    if (NAMES.contains(name) || owner.equals(MADE_BY_PROCESSOR) && name.equals("<init>")) {
      return true;
    }
    for (String start : BEGINNINGS) {
      if (name.startsWith(start)) {
        return true;
      }
    }
    return false;
  }

  /** The same for the engine's list. */
  static List<String> listed() {
    List<String> lines = new ArrayList<>();
    for (String start : PACKAGES) {
      lines.add("logging-package " + start);
    }
    CLASSES.forEach(name -> lines.add("logging-class " + name));
    NAMES.forEach(name -> lines.add("logging-name " + name));
    for (String start : BEGINNINGS) {
      lines.add("logging-beginning " + start);
    }
    return lines;
  }
}
