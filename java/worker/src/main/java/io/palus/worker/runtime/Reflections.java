package io.palus.worker.runtime;

import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.function.BinaryOperator;

/** Guards calls by reflection and by method handles that are looked up. */
public final class Reflections {
  private static BinaryOperator<String> rule = (type, method) -> null;

  private Reflections() {}

  static void set(BinaryOperator<String> whyDenied) {
    rule = whyDenied;
  }

  /**
   * A call by reflection follows, or is made ready.
   *
   * @param member a {@code Method}, {@code Constructor} or {@code Class}; null is left to the
   *     method called
   */
  public static void of(Object member) {
    if (member instanceof Method) {
      Method called = (Method) member;
      Timers.reflection(called);
      String types = types(called.getParameterTypes());
      deny(called.getDeclaringClass(), called.getName() + types, " by reflection");
      if (called.getName().equals("start")
          && Thread.class.isAssignableFrom(called.getDeclaringClass())) {
        HandOvers.later(); // who knows of which kind the thread is
      }
    } else if (member instanceof Constructor) {
      Class<?> made = ((Constructor<?>) member).getDeclaringClass();
      String types = types(((Constructor<?>) member).getParameterTypes());
      deny(made, "<init>" + types, " by reflection");
    } else if (member instanceof Class) {
      deny((Class<?>) member, "<init>()", " by reflection");
    }
  }

  private static String types(Class<?>... parameters) {
    String descriptor = MethodType.methodType(void.class, parameters).toMethodDescriptorString();
    return descriptor.substring(0, descriptor.indexOf(')') + 1);
  }

  private static void deny(Class<?> type, String name, String way) {
    String what = rule.apply(type.getName(), name);
    if (what != null) {
      Guard.deny(what + way);
    }
  }

  /**
   * A method handle is looked up.
   *
   * @param place a class or an object of it; null is left to the method called
   * @param member the name of the method, or the type of the constructor
   */
  public static void lookUp(Object place, Object member) {
    if (place == null) {
      return;
    }
    Class<?> type = place instanceof Class ? (Class<?>) place : place.getClass();
    String way = " by a method handle";
    if (member instanceof MethodType) {
      deny(type, "<init>" + types(((MethodType) member).parameterArray()), way);
      return;
    }
    if (!(member instanceof String)) {
      return;
    }
    denyInherited(type, (String) member, way);
    if (member.equals("start") && Thread.class.isAssignableFrom(type)) {
      HandOvers.later();
    }
  }

  private static void denyInherited(Class<?> type, String member, String way) {
    for (Class<?> up = type; up != null; up = up.getSuperclass()) {
      deny(up, member, way);
      for (Class<?> one : up.getInterfaces()) {
        denyInherited(one, member, way);
      }
    }
  }
}
