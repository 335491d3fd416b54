package io.palus.worker.instrument;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.management.PlatformManagedObject;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What the JDK's static methods set, add or register holds for all code of the JVM, and so does
 * what its beans set.
 */
class SettingsForAllTest {
  private static final Pattern SETS =
      Pattern.compile("(set|add|register|unregister|put|install|disable|enable)([A-Z].*)?");

  /** They change what they are given, or the thread, or nothing. */
  private static final Set<String> HARMLESS =
      Set.of(
          "java.lang.reflect.AccessibleObject.setAccessible",
          "java.rmi.server.RemoteStub.setRef",
          "java.util.Arrays.setAll",
          "java.util.concurrent.locks.LockSupport.setCurrentBlocker",
          "javax.swing.JLayeredPane.putLayer",
          "jdk.net.Sockets.setOption");

  private static final List<String> HARMLESS_STARTS =
      List.of(
          "java.lang.Compiler.",
          "java.lang.reflect.Array.set",
          "javax.swing.LookAndFeel.install",
          "javax.swing.text.StyleConstants.set");

  @Test
  void each_is_guarded() throws IOException {
    Set<String> open = new TreeSet<>();
    int known = 0;
    for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
      if (!ModuleLayer.boot().findModule(module.descriptor().name()).isPresent()) {
        continue; // one that incubates: no program has it unasked
      }
      Set<String> packages =
          module.descriptor().exports().stream()
              .filter(exports -> !exports.isQualified())
              .map(ModuleDescriptor.Exports::source)
              .collect(Collectors.toSet());
      for (Class<?> type : classes(module, packages)) {
        for (Method method : type.getDeclaredMethods()) {
          if (sets(method)) {
            known++;
            String name = type.getName() + "." + method.getName();
            if (!isGuarded(method) && !isHarmless(name)) {
              open.add(name);
            }
          }
        }
      }
    }
    assertTrue(known > 100, "found " + known);
    assertEquals(Set.of(), open);
  }

  private static boolean sets(Method method) {
    int modifiers = method.getModifiers();
    boolean isVisible = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    Class<?> type = method.getDeclaringClass();
    boolean isOfBean = PlatformManagedObject.class.isAssignableFrom(type);
    return isVisible
        && (Modifier.isStatic(modifiers) || isOfBean)
        && method.getReturnType() == void.class
        && SETS.matcher(method.getName()).matches();
  }

  private static boolean isHarmless(String name) {
    return HARMLESS.contains(name) || HARMLESS_STARTS.stream().anyMatch(name::startsWith);
  }

  private static boolean isGuarded(Method method) {
    String owner = method.getDeclaringClass().getName().replace('.', '/');
    String descriptor =
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .toMethodDescriptorString();
    return GuardRules.find(owner, method.getName(), descriptor) != null;
  }

  private static List<Class<?>> classes(ModuleReference module, Set<String> packages)
      throws IOException {
    try (ModuleReader reader = module.open()) {
      return reader
          .list()
          .filter(file -> file.endsWith(".class") && file.indexOf('/') > 0)
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .filter(name -> packages.contains(name.substring(0, Math.max(0, name.lastIndexOf('.')))))
          .<Class<?>>map(SettingsForAllTest::load)
          .filter(type -> Modifier.isPublic(type.getModifiers()))
          .collect(Collectors.toList());
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, ClassLoader.getSystemClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name, e);
    }
  }
}
