package io.palus.worker.runtime;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * Environment variables, of which the subject sees none, and system properties that are not set
 * here: where the written test runs they may be, and may name a folder of the user's.
 */
public final class Unset {
  /** Of more asking methods the first count. */
  private static final int MOST_ASKING = 4;

  private static boolean areAsked;

  /** Names of methods that asked since the reset, as {@code com.acme.Jobs#run}. */
  private static final Set<String> ASKING = new LinkedHashSet<>();

  /** What each seems to be set to; null for what the environment says. */
  private static String tried;

  private Unset() {}

  /** Whether class initialisers find the value too. */
  private static boolean isForInitializers;

  private static synchronized String ask() {
    areAsked = true;
    if (tried == null && ASKING.size() < MOST_ASKING) {
      addCaller();
    }
    String there = Environment.value();
    if (tried == null && there != null) {
      return there;
    }
    if (!Probes.isInitializing() || isForInitializers) {
      return tried;
    }
    MissingFiles.asksInInitializer("a variable or property");
    return null; // what an initialiser reads stays
  }

  private static void addCaller() {
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      String name = frame.getClassName();
      if (!name.startsWith("io.palus.worker.") && !name.startsWith("java.")) {
        ASKING.add(name + "#" + frame.getMethodName());
        return;
      }
    }
  }

  /**
   * Instead of {@code System.getenv()}.
   *
   * @return nothing
   */
  public static Map<String, String> getenv() {
    return new Variables();
  }

  /**
   * Instead of {@code System.getenv(String)}.
   *
   * @param name as the original
   * @return null, unless a value is tried
   */
  public static String getenv(String name) {
    if (name == null) {
      throw new NullPointerException();
    }
    return ask();
  }

  /**
   * Instead of {@code System.getProperty(String)}.
   *
   * @param name as the original
   * @return as the original, unless a value is tried
   */
  public static String getProperty(String name) {
    String set = Environment.property(name, System.getProperty(name));
    return set != null ? set : ask();
  }

  /**
   * Instead of {@code System.getProperty(String, String)}.
   *
   * @param name as the original
   * @param other as the original
   * @return as the original, unless a value is tried
   */
  public static String getProperty(String name, String other) {
    String set = getProperty(name);
    return set != null ? set : other;
  }

  /**
   * Instead of {@code Boolean.getBoolean(String)}.
   *
   * @param name as the original
   * @return as the original, unless a value is tried
   */
  public static boolean getBoolean(String name) {
    boolean isUnset = isUnset(name);
    return isUnset ? Boolean.parseBoolean(ask()) : Boolean.getBoolean(name);
  }

  /**
   * Instead of {@code Integer.getInteger(String)}.
   *
   * @param name as the original
   * @return as the original, unless a value is tried
   */
  public static Integer getInteger(String name) {
    return getInteger(name, null);
  }

  /**
   * Instead of {@code Integer.getInteger(String, int)}.
   *
   * @param name as the original
   * @param other as the original
   * @return as the original, unless a value is tried
   */
  public static Integer getInteger(String name, int other) {
    return getInteger(name, Integer.valueOf(other));
  }

  /**
   * Instead of {@code Integer.getInteger(String, Integer)}.
   *
   * @param name as the original
   * @param other as the original
   * @return as the original, unless a value is tried
   */
  public static Integer getInteger(String name, Integer other) {
    String value = isUnset(name) ? ask() : null;
    return value == null ? Integer.getInteger(name, other) : Integer.valueOf((int) number(value));
  }

  /**
   * Instead of {@code Long.getLong(String)}.
   *
   * @param name as the original
   * @return as the original, unless a value is tried
   */
  public static Long getLong(String name) {
    return getLong(name, null);
  }

  /**
   * Instead of {@code Long.getLong(String, long)}.
   *
   * @param name as the original
   * @param other as the original
   * @return as the original, unless a value is tried
   */
  public static Long getLong(String name, long other) {
    return getLong(name, Long.valueOf(other));
  }

  /**
   * Instead of {@code Long.getLong(String, Long)}.
   *
   * @param name as the original
   * @param other as the original
   * @return as the original, unless a value is tried
   */
  public static Long getLong(String name, Long other) {
    String value = isUnset(name) ? ask() : null;
    return value == null ? Long.getLong(name, other) : Long.valueOf(number(value));
  }

  /** The number that a value is; of any other text its length. */
  private static long number(String value) {
    try {
      return Long.decode(value);
    } catch (NumberFormatException e) {
      return value.length();
    }
  }

  /** True for the name of a property that is not set. */
  private static boolean isUnset(String name) {
    return name != null && !name.isEmpty() && System.getProperty(name) == null;
  }

  /**
   * Instead of {@code Properties.getProperty(String)}.
   *
   * @param receiver of the call
   * @param name as the original
   * @return as the original, unless it is a system property and a value is tried
   */
  public static String getProperty(Properties receiver, String name) {
    String set = receiver.getProperty(name);
    return receiver == System.getProperties() ? getProperty(name) : set;
  }

  /**
   * Instead of {@code Properties.getProperty(String, String)}.
   *
   * @param receiver of the call
   * @param name as the original
   * @param other as the original
   * @return as the original, unless it is a system property and a value is tried
   */
  public static String getProperty(Properties receiver, String name, String other) {
    if (receiver != System.getProperties()) {
      return receiver.getProperty(name, other);
    }
    String set = getProperty(receiver, name);
    return set != null ? set : other;
  }

  /**
   * Instead of {@code Hashtable.get(Object)}.
   *
   * @param receiver of the call
   * @param key as the original
   * @return as the original, unless it is a system property and a value is tried
   */
  public static Object get(Hashtable<?, ?> receiver, Object key) {
    Object set = receiver.get(key);
    if (receiver != System.getProperties()) {
      return set;
    }
    boolean isText = set instanceof String && key instanceof String;
    return isText ? Environment.property((String) key, (String) set) : set != null ? set : ask();
  }

  /**
   * Instead of {@code Hashtable.containsKey(Object)}.
   *
   * @param receiver of the call
   * @param key as the original
   * @return as the original, unless it is a system property and a value is tried
   */
  public static boolean containsKey(Hashtable<?, ?> receiver, Object key) {
    boolean isSet = receiver.containsKey(key);
    return isSet || receiver != System.getProperties() ? isSet : ask() != null;
  }

  /**
   * Instead of {@code Hashtable.getOrDefault(Object, Object)}.
   *
   * @param receiver of the call
   * @param key as the original
   * @param other as the original
   * @return as the original, unless it is a system property and a value is tried
   */
  public static Object getOrDefault(Hashtable<?, ?> receiver, Object key, Object other) {
    if (receiver != System.getProperties()) {
      return ofAny(receiver).getOrDefault(key, other);
    }
    Object set = get(receiver, key);
    return set != null ? set : other;
  }

  @SuppressWarnings("unchecked")
  private static Map<Object, Object> ofAny(Hashtable<?, ?> receiver) {
    return (Map<Object, Object>) receiver;
  }

  /** Starts a sequence. */
  static void reset() {
    if (areAsked) {
      areAsked = false;
      ASKING.clear();
    }
    tried = null;
  }

  // What the worker calls.

  /**
   * Whether something was asked for that is not set.
   *
   * @return true if so
   */
  public static boolean areAsked() {
    return areAsked;
  }

  /**
   * Which methods asked.
   *
   * @return some of their names
   */
  public static synchronized List<String> asking() {
    return new ArrayList<>(ASKING);
  }

  /**
   * From now on all seem to be set.
   *
   * @param value to this; null to what the environment says
   */
  public static void set(String value) {
    tried = value;
  }

  /**
   * Whether class initialisers, which run for this, find what all seem to be set to.
   *
   * @param areTried true if so
   */
  public static void tryInitializers(boolean areTried) {
    isForInitializers = areTried;
  }

  /** Holds nothing, but knows when it is asked for something. */
  private static final class Variables extends AbstractMap<String, String> {
    @Override
    public Set<Map.Entry<String, String>> entrySet() {
      return Collections.emptySet();
    }

    @Override
    public String get(Object name) {
      return ask();
    }

    @Override
    public boolean containsKey(Object name) {
      return ask() != null;
    }

    @Override
    public String getOrDefault(Object name, String other) {
      String tried = ask();
      return tried != null ? tried : other;
    }
  }
}
