package io.palus.worker.runtime;

import io.palus.agent.SecretForms;

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
}
