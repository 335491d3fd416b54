package io.palus.worker.runtime;

import io.palus.agent.SecretForms;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/**
 * Variables and properties as another user has them: those whose names say that they hold a secret
 * are set, where they are not set here. A test that rests on one would fail there, and its failure
 * would say what the secret is.
 */
public final class OtherSecrets {
  /** As those have that are set here. */
  private static final String HELD_BACK = "7";

  private OtherSecrets() {}

  private static String orHeldBack(String set, String name) {
    return set == null && SecretForms.isSecretName(name) ? HELD_BACK : set;
  }

  /**
   * Instead of {@code System.getenv(String)}.
   *
   * @param name as the original
   * @return as the original, or what stands for a secret
   */
  public static String getenv(String name) {
    return orHeldBack(System.getenv(name), name);
  }

  /**
   * Instead of {@code System.getenv()}.
   *
   * @return the same, which has what stands for a secret where it is asked for one
   */
  public static Map<String, String> getenv() {
    return new Variables();
  }

  private static final class Variables extends AbstractMap<String, String> {
    @Override
    public Set<Entry<String, String>> entrySet() {
      return System.getenv().entrySet();
    }

    @Override
    public boolean containsKey(Object name) {
      return get(name) != null;
    }

    @Override
    public String get(Object name) {
      return OtherSecrets.getenv((String) name);
    }
  }

  /**
   * Instead of {@code System.getProperty(String)}.
   *
   * @param name as the original
   * @return as the original, or what stands for a secret
   */
  public static String getProperty(String name) {
    return orHeldBack(System.getProperty(name), name);
  }

  /**
   * Instead of {@code System.getProperty(String, String)}.
   *
   * @param name as the original
   * @param other as the original
   * @return as the original, or what stands for a secret
   */
  public static String getProperty(String name, String other) {
    String set = getProperty(name);
    return set == null ? other : set;
  }

  /**
   * Instead of {@code Boolean.getBoolean(String)}.
   *
   * @param name as the original
   * @return as the original, or true for what stands for a secret
   */
  public static boolean getBoolean(String name) {
    return Boolean.getBoolean(name) || HELD_BACK.equals(heldBack(name));
  }

  /**
   * Instead of {@code Integer.getInteger(String)}.
   *
   * @param name as the original
   * @return as the original, or what stands for a secret
   */
  public static Integer getInteger(String name) {
    return Integer.getInteger(name, heldBack(name) == null ? null : Integer.valueOf(HELD_BACK));
  }

  /**
   * Instead of {@code Integer.getInteger(String, int)}.
   *
   * @param name as the original
   * @param other as the original
   * @return as the original, or what stands for a secret
   */
  public static Integer getInteger(String name, int other) {
    Integer set = getInteger(name);
    return set == null ? Integer.valueOf(other) : set;
  }

  /**
   * Instead of {@code Long.getLong(String)}.
   *
   * @param name as the original
   * @return as the original, or what stands for a secret
   */
  public static Long getLong(String name) {
    return Long.getLong(name, heldBack(name) == null ? null : Long.valueOf(HELD_BACK));
  }

  /**
   * Instead of {@code Long.getLong(String, long)}.
   *
   * @param name as the original
   * @param other as the original
   * @return as the original, or what stands for a secret
   */
  public static Long getLong(String name, long other) {
    Long set = getLong(name);
    return set == null ? Long.valueOf(other) : set;
  }

  /** What stands for a secret property that is not set; null where it is set, or none. */
  private static String heldBack(String name) {
    boolean isAbsent = name != null && !name.isEmpty() && System.getProperty(name) == null;
    return isAbsent ? orHeldBack(null, name) : null;
  }
}
