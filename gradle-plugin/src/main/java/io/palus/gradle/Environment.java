package io.palus.gradle;

import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.gradle.api.tasks.testing.Test;

/**
 * The environment that a build script sets on a test task. To ask the task for it fixes all
 * variables of this very build: a configuration cache would keep them, secrets too, and give them
 * to the tests of later builds.
 */
final class Environment {
  private Environment() {}

  /** What the task has, where the script says anything of it; null where it says nothing. */
  static Map<String, Object> of(Test task) {
    return isUntouched(task) ? null : task.getEnvironment();
  }

  /** What the script adds to the variables of the build, or changes of them. */
  static Map<String, Object> added(Test task) {
    Map<String, Object> all = of(task);
    if (all == null) {
      return Map.of();
    }
    Map<String, Object> added = new LinkedHashMap<>(all);
    // Asked for in a way that makes the configuration cache depend on none of them.
    Map<String, String> here = new ProcessBuilder().environment();
    added.entrySet().removeIf(one -> Objects.equals(here.get(one.getKey()), one.getValue()));
    return added;
  }

  /** Whether nobody has asked for it or set it: Gradle has no call that tells. */
  private static boolean isUntouched(Test task) {
    try {
      Object options = field(Test.class, "forkOptions").get(task);
      for (Class<?> type = options.getClass(); type != null; type = type.getSuperclass()) {
        for (Field each : type.getDeclaredFields()) {
          if (each.getName().equals("environment")) {
            each.setAccessible(true);
            return each.get(options) == null;
          }
        }
      }
      return false;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false; // as in a Gradle that holds it elsewhere
    }
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
