package io.palus.worker;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The MBeans of the JVM's own server that are not the JDK's, without making a server. */
final class Beans {
  private static final Place SERVER =
      Place.of("java.lang.management.ManagementFactory", "platformMBeanServer");

  private static final List<String> OF_JDK =
      Arrays.asList(
          "java.lang",
          "java.nio",
          "java.util.logging",
          "com.sun.management",
          "jdk.management",
          "jdk.management.jfr",
          "JMImplementation");

  private Beans() {}

  /** The names of those there are. */
  static Set<Object> now() {
    Set<Object> names = new HashSet<>();
    if (SERVER.read() != null) {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      for (ObjectName name : server.queryNames(null, null)) {
        if (!isOfJdk(server, name)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** Removes all others. */
  static void restore(Set<Object> kept) {
    for (Object name : now()) {
      try {
        if (!kept.contains(name)) {
          ManagementFactory.getPlatformMBeanServer().unregisterMBean((ObjectName) name);
        }
      } catch (JMException | RuntimeException e) { // the subject's own methods are asked
        continue;
      }
    }
  }

  private static boolean isOfJdk(MBeanServer server, ObjectName name) {
    try {
      return OF_JDK.contains(name.getDomain()) && server.getClassLoaderFor(name) == null;
    } catch (JMException e) { // it is gone
      return true;
    }
  }
}
