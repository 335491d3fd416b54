package io.palus.worker;

import io.palus.worker.runtime.Guard;
import io.palus.worker.runtime.LogHandlers;
import java.lang.reflect.Field;
import java.net.CookieHandler;
import java.net.HttpURLConnection;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Logger;

/**
 * What all code of a JVM shares and may replace, as it was at one moment: system properties,
 * streams, locales, time zone, loggers, and what the JDK uses where nobody chose something else.
 */
public final class Globals {
  private static final Map<String, Global<?>> ALL = new LinkedHashMap<>();

  /**
   * What class initialisers change for good, as they are meant to; properties too. Of the logging
   * only what does nothing by itself later.
   */
  private static final Set<String> OF_CLASSES =
      new HashSet<>(
          Arrays.asList(
              "the security providers", "a database driver", "the logging", "the MBeans"));

  private static final Memory MEMORY = Memory.open();
  private static final Place AT_EXIT = Place.of("java.io.DeleteOnExitHook", "files");
  private static final Place HOOKS = Place.of("java.lang.ApplicationShutdownHooks", "hooks");

  static {
    TimeZone.getDefault(); // sets a property when it is first asked
    Logger.getLogger("").getHandlers(); // made when they are first asked for
    add("System.in", () -> System.in, System::setIn);
    add("System.out", () -> System.out, System::setOut);
    add("System.err", () -> System.err, System::setErr);
    add(
        "the default handler of uncaught exceptions",
        Thread::getDefaultUncaughtExceptionHandler,
        Thread::setDefaultUncaughtExceptionHandler);
    add(
        "the handler of uncaught exceptions of its thread",
        () -> Thread.currentThread().getUncaughtExceptionHandler(),
        handler -> Thread.currentThread().setUncaughtExceptionHandler(handler));
    add("the default locale", Locale::getDefault, Locale::setDefault);
    for (Locale.Category category : Locale.Category.values()) {
      add(
          "the default locale",
          () -> Locale.getDefault(category),
          locale -> Locale.setDefault(category, locale));
    }
    add("the default time zone", TimeZone::getDefault, TimeZone::setDefault);
    add("the default proxies", ProxySelector::getDefault, ProxySelector::setDefault);
    add("the default cookies", CookieHandler::getDefault, CookieHandler::setDefault);
    add("the default cache of responses", ResponseCache::getDefault, ResponseCache::setDefault);
    add(
        "whether redirects are followed",
        HttpURLConnection::getFollowRedirects,
        HttpURLConnection::setFollowRedirects);
    inMemory("the default authenticator", "java.net.Authenticator", "theAuthenticator");
    inMemory("the security providers", "sun.security.jca.Providers", "providerList");
    Factories.places().forEach((name, place) -> add(name, place::read, place::write));
    add("the security properties", SecuritySetup::properties, SecuritySetup::setProperties);
    add("the security policy", SecuritySetup::policy, SecuritySetup::setPolicy);
    add("a shutdown hook", Globals::hooks, Globals::removeHooks);
    Place drivers = Place.of("java.sql.DriverManager", "registeredDrivers");
    add("a database driver", () -> listed(drivers.read()), kept -> setAll(drivers.read(), kept));
    add("what is deleted at exit", Globals::deletedAtExit, Globals::setDeletedAtExit);
    LogHandlers.deny(ClosedAtExit::mayDoAnything);
    add("what logging closes at exit", ClosedAtExit::now, ClosedAtExit::restore);
    add("the logging", Loggers::now, Loggers::restore);
    add("the MBeans", Beans::now, Beans::restore);
  }

  private final Map<?, ?> properties;
  private final List<Object> values = new ArrayList<>();

  private Globals() {
    properties = new HashMap<>(System.getProperties());
    ALL.values().forEach(global -> values.add(global.get.get()));
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

  private String changed(Set<String> leftOut) {
    int i = 0;
    for (Map.Entry<String, Global<?>> global : ALL.entrySet()) {
      String name = global.getKey().trim();
      // What was there before is asked, not the subject's own.
      if (!Objects.equals(values.get(i++), global.getValue().get.get())
          && !leftOut.contains(name)) {
        return name;
      }
    }
    return null;
  }

  /** Puts all back as it was. */
  public void restore() {
    Properties copy = new Properties();
    copy.putAll(properties);
    System.setProperties(copy);
    int i = 0;
    for (Global<?> global : ALL.values()) {
      global.restore(values.get(i++));
    }
  }

  /** Those that are not of a kind of the JDK's own, as the one that closes logs is. */
  private static Set<Object> hooks() {
    Object all = HOOKS.read();
    Set<Object> hooks = Collections.newSetFromMap(new IdentityHashMap<>());
    if (all instanceof Map) {
      hooks.addAll(((Map<?, ?>) all).keySet());
    }
    hooks.removeIf(
        hook -> hook.getClass() != Thread.class && hook.getClass().getClassLoader() == null);
    return hooks;
  }

  /** Those that are not the subject's own temporary ones. */
  private static Set<Object> deletedAtExit() {
    Object all = AT_EXIT.read();
    Set<Object> files = new HashSet<>();
    if (all instanceof Set) {
      files.addAll((Set<?>) all);
    }
    files.removeIf(Guard::isOwn);
    return files;
  }

  private static void setDeletedAtExit(Set<Object> kept) {
    Set<Object> added = deletedAtExit();
    added.removeAll(kept);
    if (!added.isEmpty()) {
      ((Set<?>) AT_EXIT.read()).removeAll(added);
    }
  }

  private static void removeHooks(Set<Object> kept) {
    Set<Object> added = hooks();
    added.removeAll(kept);
    added.forEach(hook -> Runtime.getRuntime().removeShutdownHook((Thread) hook));
  }

  /** What is listed; nothing where there is no list yet, for the first use of it is no change. */
  private static List<Object> listed(Object list) {
    return list instanceof List ? new ArrayList<>((List<?>) list) : Collections.emptyList();
  }

  @SuppressWarnings("unchecked")
  private static void setAll(Object list, List<?> kept) {
    if (list instanceof List && !list.equals(kept)) {
      ((List<Object>) list).clear();
      ((List<Object>) list).addAll(kept);
    }
  }

  private static <T> void add(String name, Supplier<T> get, Consumer<T> set) {
    String key = name;
    while (ALL.containsKey(key)) {
      key += " "; // several may be called the same
    }
    ALL.put(key, new Global<>(get, set));
  }

  private static void inMemory(String name, String type, String field) {
    Place place = Place.of(type, field);
    try {
      // Its first use is no change.
      Class.forName(type);
    } catch (ClassNotFoundException | LinkageError e) {
      return;
    }
    add(name, place::read, place::write);
  }

  private static final class Global<T> {
    final Supplier<T> get;
    final Consumer<T> set;

    Global(Supplier<T> get, Consumer<T> set) {
      this.get = get;
      this.set = set;
    }

    @SuppressWarnings("unchecked")
    void restore(Object value) {
      if (!Objects.equals(value, get.get())) {
        set.accept((T) value);
      }
    }
  }

  /** A static field of the JDK's that no method reads; empty where there is none, or no access. */
  static final class Place {
    private final Object base;
    private final long offset;

    private Place(Object base, long offset) {
      this.base = base;
      this.offset = offset;
    }

    static Place of(String type, String name) {
      try {
        Field field =
            Class.forName(type, false, ClassLoader.getSystemClassLoader()).getDeclaredField(name);
        if (MEMORY != null) {
          return new Place(MEMORY.staticFieldBase(field), MEMORY.staticFieldOffset(field));
        }
      } catch (ReflectiveOperationException | LinkageError e) {
        return new Place(null, 0);
      }
      return new Place(null, 0);
    }

    Object read() {
      return base == null ? null : MEMORY.getObject(base, offset);
    }

    void write(Object value) {
      if (base != null) {
        MEMORY.putObject(base, offset, value);
      }
    }
  }
}
