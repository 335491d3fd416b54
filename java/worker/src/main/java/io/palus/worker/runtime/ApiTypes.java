package io.palus.worker.runtime;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * As what an API's users see its objects: the class of {@code map.values().iterator()} is nobody's
 * business, {@code java.util.Iterator} is what everybody calls.
 */
public final class ApiTypes {
  private final Set<String> roots;
  private final Predicate<Class<?>> isForeign;
  private final Map<Class<?>, String> known = new HashMap<>();

  /**
   * The types of an API.
   *
   * @param roots internal names of its classes; what extends or implements them is its, too
   * @param isForeign tells of a class whether it is none of the API's whatever it extends, as those
   *     of the subject are
   */
  public ApiTypes(Collection<String> roots, Predicate<Class<?>> isForeign) {
    this.roots = new HashSet<>(roots);
    this.isForeign = isForeign;
  }

  /** The name of the type as what an object of a class counts; null where it is none of the API. */
  String of(Class<?> type) {
    if (known.containsKey(type)) {
      return known.get(type);
    }
    String name = find(type);
    known.put(type, name);
    return name;
  }

  /** Classes first, then interfaces, nearest first. */
  private String find(Class<?> type) {
    for (Class<?> next = type; next != null; next = next.getSuperclass()) {
      if (isOfApi(next)) {
        return name(next);
      }
    }
    Deque<Class<?>> open = new ArrayDeque<>();
    for (Class<?> next = type; next != null; next = next.getSuperclass()) {
      open.add(next);
    }
    while (!open.isEmpty()) {
      for (Class<?> parent : open.remove().getInterfaces()) {
        if (isOfApi(parent)) {
          return name(parent);
        }
        open.add(parent);
      }
    }
    return null;
  }

  private boolean isOfApi(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && !Proxy.isProxyClass(type) // nobody chose its name
        && !isForeign.test(type)
        && hasRoot(type);
  }

  private boolean hasRoot(Class<?> type) {
    if (type == null) {
      return false;
    }
    if (roots.contains(name(type)) || hasRoot(type.getSuperclass())) {
      return true;
    }
    for (Class<?> parent : type.getInterfaces()) {
      if (hasRoot(parent)) {
        return true;
      }
    }
    return false;
  }

  private static String name(Class<?> type) {
    return type.getName().replace('.', '/');
  }
}
