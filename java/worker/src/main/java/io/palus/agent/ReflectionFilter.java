package io.palus.agent;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Goes over what reflective look-ups of instrumented code give: it does not see what the agent
 * added, nor what JaCoCo's did where it is there because of us. The look-ups themselves stay the
 * program's, for they ask who calls.
 */
public final class ReflectionFilter {
  /** Beginning of the names of what JaCoCo adds. */
  static final String COVERAGE = "$jacoco";

  private static boolean hidesCoverage;

  private ReflectionFilter() {}

  /** Whether JaCoCo's members are hidden as well. */
  static void hideCoverage(boolean isHidden) {
    hidesCoverage = isHidden;
  }

  private static boolean isAdded(String member) {
    return member.startsWith("$palus$") || hidesCoverage && member.startsWith(COVERAGE);
  }

  /**
   * What {@code Class::getDeclaredFields} stands for.
   *
   * @param type the class that is asked
   * @return its fields, but for those that were added
   */
  public static Field[] getDeclaredFields(Class<?> type) {
    return without(type.getDeclaredFields());
  }

  /**
   * What {@code Class::getDeclaredMethods} stands for.
   *
   * @param type the class that is asked
   * @return its methods, but for those that were added
   */
  public static Method[] getDeclaredMethods(Class<?> type) {
    return without(type.getDeclaredMethods());
  }

  /**
   * Fields of a class.
   *
   * @param all what {@code getDeclaredFields} gave
   * @return those that were not added
   */
  public static Field[] without(Field[] all) {
    List<Field> kept = new ArrayList<>();
    for (Field field : all) {
      if (!isAdded(field.getName())) {
        kept.add(field);
      }
    }
    return kept.size() == all.length ? all : kept.toArray(new Field[0]);
  }

  /**
   * Methods of a class.
   *
   * @param all what {@code getDeclaredMethods} gave
   * @return those that were not added
   */
  public static Method[] without(Method[] all) {
    List<Method> kept = new ArrayList<>();
    for (Method method : all) {
      if (!isAdded(method.getName())) {
        kept.add(method);
      }
    }
    return kept.size() == all.length ? all : kept.toArray(new Method[0]);
  }
}
