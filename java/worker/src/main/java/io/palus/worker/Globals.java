package io.palus.worker;

import io.palus.worker.runtime.LogHandlers;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;

/**
 * What all code of a JVM shares and may replace, as it was at one moment: system properties,
 * streams, locales, time zone, loggers, and what the JDK uses where nobody chose something else.
 */
public final class Globals {
  private static final Shared[] ALL = Shared.values();

  /**
   * What class initialisers change for good, as they are meant to; properties too. Of the logging
   * only what does nothing by itself later.
   */
  private static final Set<Shared> OF_CLASSES =
      EnumSet.of(Shared.PROVIDERS, Shared.DRIVERS, Shared.LOGGING, Shared.BEANS);

  private static final Set<Shared> STREAMS = EnumSet.of(Shared.IN, Shared.OUT, Shared.ERR);

  static {
    LogHandlers.deny(ClosedAtExit::mayDoAnything);
  }

  private final Map<?, ?> properties;

  /** Of {@link #ALL}. */
  private final Object[] values = new Object[ALL.length];

  private Globals() {
    properties = new HashMap<>(System.getProperties());
    for (int i = 0; i < ALL.length; i++) {
      values[i] = ALL[i].get();
    }
  }

  /**
   * Reads all.
   *
   * @return what it is now
   */
  public static Globals now() {
    return new Globals();
  }

  /**
   * Compares with what is now.
   *
   * @return the name of something that has changed; null for nothing
   */
  public String changed() {
    try {
      Properties all = System.getProperties();
      // Without a copy, where no code of the subject's is asked.
      Map<?, ?> now = all.getClass() == Properties.class ? all : new HashMap<>(all);
      if (!properties.equals(now)) {
        Map<Object, Object> either = new HashMap<>(properties);
        either.putAll(now);
        Object key =
            either.keySet().stream()
                .filter(name -> !Objects.equals(now.get(name), properties.get(name)))
                .min((one, other) -> String.valueOf(one).compareTo(String.valueOf(other)))
                .orElse(null);
        return "the system property " + key;
      }
      return changed(Collections.emptySet());
    } catch (RuntimeException e) { // properties of the subject's own kind
      return "the system properties";
    }
  }

  /**
   * Compares what not even a class initialiser may leave changed: it would be so in all tests that
   * run later in the same JVM.
   *
   * @return the name of something that has changed; null for nothing
   */
  public String changedForAll() {
    return changed(OF_CLASSES);
  }

  private String changed(Set<Shared> leftOut) {
    for (int i = 0; i < ALL.length; i++) {
      // What was there before is asked, not the subject's own.
      if (!Objects.equals(values[i], ALL[i].get()) && !leftOut.contains(ALL[i])) {
        return ALL[i].text;
      }
    }
    return null;
  }

  /** Puts all back as it was, but for standard streams that are none any more: they are new. */
  public void restoreWithStreams() {
    restore();
    StandardStreams.renew();
    for (Shared stream : STREAMS) {
      values[stream.ordinal()] = stream.get();
    }
  }

  /** Puts all back as it was. */
  public void restore() {
    Properties copy = new Properties();
    copy.putAll(properties);
    System.setProperties(copy);
    for (int i = 0; i < ALL.length; i++) {
      if (!Objects.equals(values[i], ALL[i].get())) {
        ALL[i].set(values[i]);
      }
    }
  }
}
