package io.palus.agent;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Lets the program's own named modules (Java 9 and later) read the agent's classes, and the agent
 * reach what it adds to theirs.
 */
final class ModuleReads {
  private ModuleReads() {}

  static void add(Instrumentation instrumentation) throws ReflectiveOperationException {
    Class<?> layerType;
    try {
      layerType = Class.forName("java.lang.ModuleLayer");
    } catch (ClassNotFoundException e) {
      return; // Java 8
    }
    Class<?> moduleType = Class.forName("java.lang.Module");
    Object agent = Class.class.getMethod("getModule").invoke(PreMain.class);
    Method loaderOf = moduleType.getMethod("getClassLoader");
    Method packagesOf = moduleType.getMethod("getPackages");
    Method redefine =
        Instrumentation.class.getMethod(
            "redefineModule", moduleType, Set.class, Map.class, Map.class, Set.class, Map.class);
    Object boot = layerType.getMethod("boot").invoke(null);
    for (Object module : (Set<?>) layerType.getMethod("modules").invoke(boot)) {
      if (loaderOf.invoke(module) == ClassLoader.getSystemClassLoader()) {
        Map<Object, Set<?>> opens = new HashMap<>();
        for (Object name : (Set<?>) packagesOf.invoke(module)) {
          opens.put(name, Collections.singleton(agent));
        }
        redefine.invoke(
            instrumentation,
            module,
            Collections.singleton(agent),
            Collections.emptyMap(),
            opens,
            Collections.emptySet(),
            Collections.emptyMap());
      }
    }
  }
}
