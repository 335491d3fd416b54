package io.palus.agent;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Goes over what reflective look-ups of instrumented code give: it does not see what the agent
 * added. The look-ups themselves stay the program's, for they ask who calls.
 */
public final class ReflectionFilter {
  private ReflectionFilter() {}

  static boolean isOurs(String member) {
    return member.startsWith("$palus$");
  }

  /**
   * Fields of a class.
   *
   * @param all what {@code getDeclaredFields} gave
   * @return those without ours
   */
  public static Field[] without(Field[] all) {
    List<Field> kept = new ArrayList<>();
    for (Field field : all) {
      if (!isOurs(field.getName())) {
        kept.add(field);
      }
    }
    return kept.size() == all.length ? all : kept.toArray(new Field[0]);
  }

  /**
   * Methods of a class.
   *
   * @param all what {@code getDeclaredMethods} gave
   * @return those without ours
   */
  public static Method[] without(Method[] all) {
    List<Method> kept = new ArrayList<>();
    for (Method method : all) {
      if (!isOurs(method.getName())) {
        kept.add(method);
      }
    }
    return kept.size() == all.length ? all : kept.toArray(new Method[0]);
  }
}
