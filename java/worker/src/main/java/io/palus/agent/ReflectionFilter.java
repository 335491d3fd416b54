package io.palus.agent;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** Stands in for reflective look-ups of instrumented code: they do not see what the agent added. */
public final class ReflectionFilter {
  private ReflectionFilter() {}

  static boolean isOurs(String member) {
    return member.startsWith("$palus$");
  }

  /**
   * As the method of {@link Class} with this name.
   *
   * @param type the class
   * @return its fields without ours
   */
  public static Field[] getDeclaredFields(Class<?> type) {
    Field[] all = type.getDeclaredFields();
    List<Field> kept = new ArrayList<>();
    for (Field field : all) {
      if (!isOurs(field.getName())) {
        kept.add(field);
      }
    }
    return kept.size() == all.length ? all : kept.toArray(new Field[0]);
  }

  /**
   * As the method of {@link Class} with this name.
   *
   * @param type the class
   * @return its methods without ours
   */
  public static Method[] getDeclaredMethods(Class<?> type) {
    Method[] all = type.getDeclaredMethods();
    List<Method> kept = new ArrayList<>();
    for (Method method : all) {
      if (!isOurs(method.getName())) {
        kept.add(method);
      }
    }
    return kept.size() == all.length ? all : kept.toArray(new Method[0]);
  }
}
