package io.palus.worker.runtime;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/**
 * Variables and properties of the build whose values are held back: a test that asks for one rests
 * on what nobody knows here, whatever it makes of what stands in its place. Asking for all of them
 * at once is no such question, nor is that of a class initialiser, which no test asks by itself.
 */
public final class HeldBack {
  /** What the engine sets in the place of such a value. */
  private static final String VALUE = "palus-held-back";

  private static volatile boolean isDenied = true;

  private HeldBack() {}

  /**
   * Says of what runs next whether it is new: tests that were written run as before where another
   * build sets more.
   *
   * @param isNew whether it may not ask
   */
  public static void denyTo(boolean isNew) {
    isDenied = isNew;
  }

  private static String variable(String name) {
    String value = System.getenv(name);
    ask("variable", name, value);
    return value;
  }

  private static void property(String name) {
    if (name != null && !name.isEmpty()) {
      ask("property", name, System.getProperty(name));
    }
  }

  /** Denies: who keeps what comes of it for others would be seen to ask but once. */
  private static void ask(String kind, String name, String value) {
    if (isDenied && VALUE.equals(value) && !isByInitializer()) {
      Guard.deny("the value of the " + kind + " `" + name + "`, which is held back");
    }
  }

  private static boolean isByInitializer() {
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      if (frame.getMethodName().equals("<clinit>")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Instead of {@code System.getenv(String)}.
   *
   * @param name as the original
   * @return as the original
   */
  public static String getenv(String name) {
    return variable(name);
  }

  /**
   * Instead of {@code System.getenv()}.
   *
   * @return the same, which is asked alike
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
      return variable((String) name);
    }
  }

  /**
   * Instead of {@code System.getProperty(String)}.
   *
   * @param name as the original
   * @return as the original
   */
  public static String getProperty(String name) {
    property(name);
    return System.getProperty(name);
  }

  /**
   * Instead of {@code System.getProperty(String, String)}.
   *
   * @param name as the original
   * @param other as the original
   * @return as the original
   */
  public static String getProperty(String name, String other) {
    property(name);
    return System.getProperty(name, other);
  }

  /**
   * Instead of {@code Boolean.getBoolean(String)}.
   *
   * @param name as the original
   * @return as the original
   */
  public static boolean getBoolean(String name) {
    property(name);
    return Boolean.getBoolean(name);
  }

  /**
   * Instead of {@code Integer.getInteger(String)}.
   *
   * @param name as the original
   * @return as the original
   */
  public static Integer getInteger(String name) {
    property(name);
    return Integer.getInteger(name);
  }

  /**
   * Instead of {@code Integer.getInteger(String, int)}.
   *
   * @param name as the original
   * @param other as the original
   * @return as the original
   */
  public static Integer getInteger(String name, int other) {
    property(name);
    return Integer.getInteger(name, other);
  }

  /**
   * Instead of {@code Long.getLong(String)}.
   *
   * @param name as the original
   * @return as the original
   */
  public static Long getLong(String name) {
    property(name);
    return Long.getLong(name);
  }

  /**
   * Instead of {@code Long.getLong(String, long)}.
   *
   * @param name as the original
   * @param other as the original
   * @return as the original
   */
  public static Long getLong(String name, long other) {
    property(name);
    return Long.getLong(name, other);
  }
}
