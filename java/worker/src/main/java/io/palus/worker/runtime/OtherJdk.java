package io.palus.worker.runtime;

import java.awt.GraphicsEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.Charset;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TimeZone;
import java.util.TreeMap;

/**
 * What another JDK, with other files on its class path and another screen, says: one of many
 * locales, zones, charsets and currencies is missing, the update is another one, and resources lie
 * elsewhere.
 */
public final class OtherJdk {
  private static final String JAR = "jar:";
  private static final String FILE = "file:/";

  private OtherJdk() {}

  public static boolean isHeadless() {
    return !GraphicsEnvironment.isHeadless();
  }

  private static <T> T[] fewer(T[] all) {
    return all.length > 1 ? Arrays.copyOf(all, all.length - 1) : all;
  }

  private static <T> Set<T> fewer(Set<T> all) {
    Set<T> fewer = new HashSet<>(all);
    fewer.remove(all.iterator().next());
    return fewer;
  }

  public static Set<String> getAvailableZoneIds() {
    return fewer(ZoneId.getAvailableZoneIds());
  }

  public static Set<Currency> getAvailableCurrencies() {
    return fewer(Currency.getAvailableCurrencies());
  }

  public static String[] getAvailableIDs() {
    return fewer(TimeZone.getAvailableIDs());
  }

  public static String[] getAvailableIDs(int offset) {
    return fewer(TimeZone.getAvailableIDs(offset));
  }

  public static Locale[] getAvailableLocales() {
    return fewer(Locale.getAvailableLocales());
  }

  public static SortedMap<String, Charset> availableCharsets() {
    SortedMap<String, Charset> all = new TreeMap<>(Charset.availableCharsets());
    all.remove(all.lastKey());
    return Collections.unmodifiableSortedMap(all);
  }

  /** Has Java 9, and no older one. */
  public static Object version() {
    try {
      Object version = Runtime.class.getMethod("version").invoke(null);
      String feature = version.toString().replaceFirst("[^0-9].*", "");
      Class<?> type = Class.forName("java.lang.Runtime$Version");
      return type.getMethod("parse", String.class).invoke(null, feature + ".0.99+99");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  public static URL getResource(ClassLoader loader, String name) throws MalformedURLException {
    URL found = loader.getResource(name);
    return elsewhere(isOurs(found) ? next(loader, name) : found);
  }

  public static URL getSystemResource(String name) throws MalformedURLException {
    return getResource(ClassLoader.getSystemClassLoader(), name);
  }

  public static URL getResource(Class<?> type, String name) throws MalformedURLException {
    URL found = type.getResource(name);
    boolean isOurs = isOurs(found);
    String absolute = name.startsWith("/") ? name.substring(1) : name;
    return elsewhere(isOurs ? next(ClassLoader.getSystemClassLoader(), absolute) : found);
  }

  public static InputStream getResourceAsStream(ClassLoader loader, String name)
      throws IOException {
    return isOurs(loader.getResource(name))
        ? open(next(loader, name))
        : loader.getResourceAsStream(name);
  }

  public static InputStream getSystemResourceAsStream(String name) throws IOException {
    return getResourceAsStream(ClassLoader.getSystemClassLoader(), name);
  }

  public static InputStream getResourceAsStream(Class<?> type, String name) throws IOException {
    return isOurs(type.getResource(name))
        ? open(getResource(type, name))
        : type.getResourceAsStream(name);
  }

  private static InputStream open(URL resource) throws IOException {
    return resource == null ? null : resource.openStream();
  }

  /** Whether a resource is of the jar of this class, which no build has on its class path. */
  private static boolean isOurs(URL found) {
    String ours = OtherJdk.class.getProtectionDomain().getCodeSource().getLocation().toString();
    return found != null && found.toString().startsWith(JAR + ours);
  }

  private static URL next(ClassLoader loader, String name) {
    try {
      Enumeration<URL> all = loader.getResources(name);
      while (all.hasMoreElements()) {
        URL one = all.nextElement();
        if (!isOurs(one)) {
          return one;
        }
      }
    } catch (IOException e) {
      return null;
    }
    return null;
  }

  /** The same file under another name. */
  private static URL elsewhere(URL found) throws MalformedURLException {
    String text = found == null ? "" : found.toString();
    boolean isFile = text.startsWith(FILE) || text.startsWith(JAR + FILE);
    return isFile ? new URL(text.replaceFirst(FILE, FILE + "./")) : found;
  }
}
