package io.palus.worker;

import io.palus.worker.runtime.Guard;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.CookieHandler;
import java.net.HttpURLConnection;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.logging.Logger;

/**
 * The things that all code of a JVM shares and may replace. All are read when a JVM starts, so they
 * are cases of two methods: a lambda for each would be a class that each JVM makes anew.
 */
enum Shared {
  IN("System.in"),
  OUT("System.out"),
  ERR("System.err"),
  UNCAUGHT("the default handler of uncaught exceptions"),
  UNCAUGHT_OF_THREAD("the handler of uncaught exceptions of its thread"),
  LOCALE("the default locale"),
  LOCALE_FOR_DISPLAY("the default locale"),
  LOCALE_FOR_FORMAT("the default locale"),
  TIME_ZONE("the default time zone"),
  PROXIES("the default proxies"),
  COOKIES("the default cookies"),
  RESPONSES("the default cache of responses"),
  REDIRECTS("whether redirects are followed"),
  AUTHENTICATOR("the default authenticator", "java.net.Authenticator", "theAuthenticator"),
  PROVIDERS("the security providers", "sun.security.jca.Providers", "providerList"),
  // All of these are null until somebody sets them, and most can be set but once.
  ADDRESSES("the factory of handlers for addresses", "java.net.URL", "factory"),
  CONTENTS("the factory of content handlers", "java.net.URLConnection", "factory"),
  SOCKETS("the factory of sockets", "java.net.Socket", "factory"),
  SERVER_SOCKETS("the factory of server sockets", "java.net.ServerSocket", "factory"),
  DATAGRAMS("the factory of datagram sockets", "java.net.DatagramSocket", "factory"),
  RMI_SOCKETS("the factory of sockets for RMI", "java.rmi.server.RMISocketFactory", "factory"),
  SECURITY_MANAGER("the security manager", "java.lang.System", "security"),
  SECURITY_PROPERTIES("the security properties"),
  SECURITY_POLICY("the security policy"),
  HOOKS("a shutdown hook", "java.lang.ApplicationShutdownHooks", "hooks"),
  DRIVERS("a database driver", "java.sql.DriverManager", "registeredDrivers"),
  DELETED_AT_EXIT("what is deleted at exit", "java.io.DeleteOnExitHook", "files"),
  CLOSED_AT_EXIT("what logging closes at exit"),
  LOGGING("the logging"),
  BEANS("the MBeans");

  /** What messages call it. */
  final String text;

  /** Null where methods read it. */
  private final Place place;

  Shared(String text) {
    this.text = text;
    this.place = null;
  }

  Shared(String text, String type, String field) {
    this.text = text;
    this.place = Place.of(type, field);
  }

  static {
    // The first use of these is no change: it sets a property, makes handlers and lists.
    TimeZone.getDefault();
    Logger.getLogger("").getHandlers();
    for (String type : new String[] {"java.net.Authenticator", "sun.security.jca.Providers"}) {
      try {
        Class.forName(type);
      } catch (ClassNotFoundException | LinkageError e) {
        continue; // this JDK has none
      }
    }
  }

  /** What it is now. */
  Object get() {
    switch (this) {
      case IN:
        return System.in;
      case OUT:
        return System.out;
      case ERR:
        return System.err;
      case UNCAUGHT:
        return Thread.getDefaultUncaughtExceptionHandler();
      case UNCAUGHT_OF_THREAD:
        return Thread.currentThread().getUncaughtExceptionHandler();
      case LOCALE:
        return Locale.getDefault();
      case LOCALE_FOR_DISPLAY:
        return Locale.getDefault(Locale.Category.DISPLAY);
      case LOCALE_FOR_FORMAT:
        return Locale.getDefault(Locale.Category.FORMAT);
      case TIME_ZONE:
        return TimeZone.getDefault();
      case PROXIES:
        return ProxySelector.getDefault();
      case COOKIES:
        return CookieHandler.getDefault();
      case RESPONSES:
        return ResponseCache.getDefault();
      case REDIRECTS:
        return HttpURLConnection.getFollowRedirects();
      case SECURITY_PROPERTIES:
        return SecuritySetup.properties();
      case SECURITY_POLICY:
        return SecuritySetup.policy();
      case HOOKS:
        return hooks();
      case DRIVERS:
        return listed(place.read());
      case DELETED_AT_EXIT:
        return deletedAtExit();
      case CLOSED_AT_EXIT:
        return ClosedAtExit.now();
      case LOGGING:
        return Loggers.now();
      case BEANS:
        return Beans.now();
      default:
        return place.read();
    }
  }

  /**
   * Puts it back.
   *
   * @param value what {@link #get} answered before
   */
  @SuppressWarnings("unchecked")
  void set(Object value) {
    switch (this) {
      case IN:
        System.setIn((InputStream) value);
        break;
      case OUT:
        System.setOut((PrintStream) value);
        break;
      case ERR:
        System.setErr((PrintStream) value);
        break;
      case UNCAUGHT:
        Thread.setDefaultUncaughtExceptionHandler((Thread.UncaughtExceptionHandler) value);
        break;
      case UNCAUGHT_OF_THREAD:
        Thread.currentThread().setUncaughtExceptionHandler((Thread.UncaughtExceptionHandler) value);
        break;
      case LOCALE:
        Locale.setDefault((Locale) value);
        break;
      case LOCALE_FOR_DISPLAY:
        Locale.setDefault(Locale.Category.DISPLAY, (Locale) value);
        break;
      case LOCALE_FOR_FORMAT:
        Locale.setDefault(Locale.Category.FORMAT, (Locale) value);
        break;
      case TIME_ZONE:
        TimeZone.setDefault((TimeZone) value);
        break;
      case PROXIES:
        ProxySelector.setDefault((ProxySelector) value);
        break;
      case COOKIES:
        CookieHandler.setDefault((CookieHandler) value);
        break;
      case RESPONSES:
        ResponseCache.setDefault((ResponseCache) value);
        break;
      case REDIRECTS:
        HttpURLConnection.setFollowRedirects((Boolean) value);
        break;
      case SECURITY_PROPERTIES:
        SecuritySetup.setProperties((Map<Object, Object>) value);
        break;
      case SECURITY_POLICY:
        SecuritySetup.setPolicy(value);
        break;
      case HOOKS:
        removeHooks((Set<Object>) value);
        break;
      case DRIVERS:
        setAll(place.read(), (List<?>) value);
        break;
      case DELETED_AT_EXIT:
        setDeletedAtExit((Set<Object>) value);
        break;
      case CLOSED_AT_EXIT:
        ((ClosedAtExit) value).restore();
        break;
      case LOGGING:
        ((Loggers) value).restore();
        break;
      case BEANS:
        Beans.restore((Set<Object>) value);
        break;
      default:
        place.write(value);
    }
  }

  /** Those that are not of a kind of the JDK's own, as the one that closes logs is. */
  private static Set<Object> hooks() {
    Object all = HOOKS.place.read();
    Set<Object> hooks = Collections.newSetFromMap(new IdentityHashMap<>());
    if (all instanceof Map) {
      hooks.addAll(((Map<?, ?>) all).keySet());
    }
    hooks.removeIf(
        hook -> hook.getClass() != Thread.class && hook.getClass().getClassLoader() == null);
    return hooks;
  }

  private static void removeHooks(Set<Object> kept) {
    Set<Object> added = hooks();
    added.removeAll(kept);
    added.forEach(hook -> Runtime.getRuntime().removeShutdownHook((Thread) hook));
  }

  /** Those that are not the subject's own temporary ones. */
  private static Set<Object> deletedAtExit() {
    Object all = DELETED_AT_EXIT.place.read();
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
      ((Set<?>) DELETED_AT_EXIT.place.read()).removeAll(added);
    }
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
}
