package io.palus.worker.runtime;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/**
 * Environment variables, of which the subject sees none, and system properties that are not set
 * here: where the written test runs they may be, and may name a folder of the user's.
 */
public final class Unset {
  private static boolean areAsked;

  /** What each seems to be set to; null for nothing. */
  private static String value;

  private Unset() {}

  private static String ask() {
    areAsked = true;
    // What an initialiser reads stays.
    return Probes.isInitializing() ? null : value;
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
    String set = System.getProperty(name);
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
    String set = System.getProperty(name);
    String tried = set != null ? set : ask();
    return tried != null ? tried : other;
  }

  /** Starts a sequence. */
  static void reset() {
    areAsked = false;
    value = null;
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
   * From now on all seem to be set.
   *
   * @param tried to this; null to nothing
   */
  public static void set(String tried) {
    value = tried;
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
