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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * What the JDK's static methods set, add, remove or register holds for all code of the JVM, and so
 * does what is set in its beans and in objects that a static method gives to all who ask.
 */
class SettingsForAllTest {
  private static final Pattern SETS =
      Pattern.compile(
          "(set|unset|add|remove|register|unregister|deregister|clear|flush|put|install|uninstall"
              + "|disable|enable|reset|refresh|release|scan)([A-Z].*)?");

  /** They change what they are given, the thread, a mere cache or nothing. */
  private static final Set<String> HARMLESS =
      Set.of(
          "java.beans.Introspector.flushCaches",
          "java.beans.Introspector.flushFromCaches",
          "java.lang.ClassLoader.registerAsParallelCapable",
          "java.lang.ClassLoader.setSigners",
          "java.lang.invoke.VarHandle.releaseFence",
          "java.lang.Math.addExact",
          "java.lang.reflect.AccessibleObject.setAccessible",
          "java.lang.StrictMath.addExact",
          "java.rmi.server.RemoteStub.setRef",
          "java.util.Arrays.setAll",
          "java.util.Collections.addAll",
          "java.util.concurrent.locks.LockSupport.setCurrentBlocker",
          "java.util.ResourceBundle.clearCache",
          "java.util.stream.Gatherers.scan",
          "javax.swing.JLayeredPane.putLayer",
          "jdk.net.Sockets.setOption");

  private static final List<String> HARMLESS_STARTS =
      List.of(
          "java.awt.AWTEventMulticaster.",
          "java.lang.Compiler.",
          "java.lang.reflect.Array.set",
          "javax.swing.LookAndFeel.install",
          "javax.swing.LookAndFeel.uninstall",
          "javax.swing.text.StyleConstants.set");

  /** What a static method of theirs gives is new, of this thread, unchangeable, or the user's. */
  private static final List<String> GIVE_THEIR_OWN =
      List.of(
          "java.awt.datatransfer.DataFlavor.",
          "java.awt.im.InputContext.",
          "java.io.",
          "java.lang.StableValue.",
          "java.lang.Thread.", // What changes of it is put back.
          "java.net.CookieHandler.",
          "java.net.ResponseCache.",
          "java.nio.channels.",
          "java.security.IdentityScope.", // No JDK has a system's one.
          "java.text.",
          "java.util.Calendar.",
          "java.util.List.",
          "java.util.Map.",
          "java.util.Set.",
          "java.util.TimeZone.",
          "java.util.concurrent.ForkJoinTask.",
          "java.util.concurrent.ThreadLocalRandom.",
          "javax.security.auth.Subject.",
          "javax.swing.Box.",
          "javax.xml.",
          "jdk.jfr.consumer.EventStream.",
          "jdk.jshell.JShell.",
          "org.ietf.jgss.GSSManager.",
          "org.w3c.dom.bootstrap.DOMImplementationRegistry.",
          "sun.misc.Unsafe."); // Only for who breaks into a private field.

  /** Classes with objects that all share, whatever gives them. */
  private static final Set<String> SHARED =
      Set.of("java.lang.Runtime", "java.util.logging.LogManager", "javax.imageio.spi.IIORegistry");

  @Test
  void each_is_guarded() throws IOException {
    Set<String> open = new TreeSet<>();
    Set<String> known = new TreeSet<>();
    for (Class<?> type : publicTypes()) {
      for (Method method : setting(type)) {
        String name = type.getName() + "." + method.getName();
        known.add(name);
        if (!isGuarded(type, method) && !isHarmless(name)) {
          open.add(name);
        }
      }
    }
    assertTrue(known.size() > 250, "found " + known.size());
    for (String type : SHARED) {
      assertTrue(known.stream().anyMatch(name -> name.startsWith(type + ".")), type);
    }
    assertEquals(Set.of(), open);
  }

  @Test
  void each_is_guarded_by_the_name_of_a_class_of_the_programs_that_inherits_it()
      throws IOException {
    Set<String> open = new TreeSet<>();
    int known = 0;
    for (Class<?> type : publicTypes()) {
      if (Modifier.isFinal(type.getModifiers())) {
        continue;
      }
      ClassWriter heir = new ClassWriter(0);
      String above = type.getName().replace('.', '/');
      String[] none = {};
      String[] itself = {above};
      boolean isInterface = type.isInterface();
      int access = isInterface ? Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT : Opcodes.ACC_PUBLIC;
      String parent = isInterface ? "java/lang/Object" : above;
      heir.visit(Opcodes.V17, access, "own/Heir", null, parent, isInterface ? itself : none);
      Ancestors.note(new ClassReader(heir.toByteArray()));
      for (Method method : setting(type)) {
        boolean isInherited = !isInterface || !Modifier.isStatic(method.getModifiers());
        GuardRule rule = rule(above, method);
        if (isInherited && rule != null && rule.preventsHarm()) {
          known++;
          if (rule("own/Heir", method) != rule) {
            open.add(above + "." + method.getName());
          }
        }
      }
    }
    assertTrue(known > 150, "found " + known);
    assertEquals(Set.of(), open);
  }

  private static List<Class<?>> publicTypes() throws IOException {
    List<Class<?>> types = new ArrayList<>();
    for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
      if (!ModuleLayer.boot().findModule(module.descriptor().name()).isPresent()) {
        continue; // one that incubates: no program has it unasked
      }
      Set<String> packages =
          module.descriptor().exports().stream()
              .filter(exports -> !exports.isQualified())
              .map(ModuleDescriptor.Exports::source)
              .collect(Collectors.toSet());
      types.addAll(classes(module, packages));
    }
    return types;
  }

  /** Those of a class that set something for all, by their names. */
  private static List<Method> setting(Class<?> type) {
    List<Method> methods = new ArrayList<>(List.of(type.getDeclaredMethods()));
    boolean isShared = isShared(type);
    if (isShared) {
      methods.addAll(List.of(type.getMethods()));
    }
    boolean isOfBean = PlatformManagedObject.class.isAssignableFrom(type);
    methods.removeIf(
        method ->
            !isVisible(method)
                || !Modifier.isStatic(method.getModifiers()) && !isShared && !isOfBean
                || !SETS.matcher(method.getName()).matches());
    return methods;
  }

  /** Whether a static method that is not guarded itself gives an object that all have. */
  private static boolean isShared(Class<?> type) {
    boolean gives =
        Stream.of(type.getDeclaredMethods())
            .anyMatch(
                method ->
                    isVisible(method)
                        && Modifier.isStatic(method.getModifiers())
                        && method.getParameterCount() == 0
                        && method.getReturnType() == type
                        && !isGuarded(type, method));
    return gives && GIVE_THEIR_OWN.stream().noneMatch((type.getName() + ".")::startsWith);
  }

  private static boolean isVisible(Method method) {
    int modifiers = method.getModifiers();
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static boolean isHarmless(String name) {
    return HARMLESS.contains(name) || HARMLESS_STARTS.stream().anyMatch(name::startsWith);
  }

  private static boolean isGuarded(Class<?> type, Method method) {
    return rule(type.getName().replace('.', '/'), method) != null;
  }

  private static GuardRule rule(String owner, Method method) {
    String descriptor =
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .toMethodDescriptorString();
    return GuardRules.find(owner, method.getName(), descriptor);
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
