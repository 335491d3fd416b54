package io.palus.worker.verify;

import io.palus.worker.StandardStreams;
import java.io.File;
import java.util.function.UnaryOperator;

/**
 * Gives system properties that tell of the machine and its JDK other values, as another machine may
 * have them, so that no test that asserts one passes: the system's version, vendor, name and build
 * of the JDK, its folder, and the paths; those that build tools set in the JVM of tests, and the
 * command that started it; and to the thread, another name, and the standard streams, other
 * classes. The system's name, the version of the specification and the release's first number stay,
 * since code may well rest on them.
 *
 * <p>The folder is the same one under another name, for the JDK goes on reading files in it. What
 * else is changed was read when the JVM started.
 */
final class OtherMachine {
  private static final String ORACLE = "Oracle";
  private static final String OPEN_JDK = "OpenJDK";

  /** What Surefire and Gradle set in the JVM of tests. */
  private static final String[] OF_BUILD_TOOLS = {
    "basedir",
    "localRepository",
    "surefire.test.class.path",
    "surefire.real.class.path",
    "maven.home",
    "org.gradle.test.worker",
    "org.gradle.native",
    "org.gradle.internal.worker.tmpdir"
  };

  private OtherMachine() {}

  /** Changes them for the rest of this JVM's life. */
  static void pretend() {
    // Surefire runs tests in the thread `main`, and Gradle in this one.
    Thread.currentThread().setName("Test worker");
    StandardStreams.beElsewhere();
    for (String property : OF_BUILD_TOOLS) {
      if (System.getProperty(property) == null) {
        System.setProperty(property, "elsewhere");
      }
    }
    change("sun.java.command", command -> "org.apache.maven.surefire.booter.ForkedBooter");
    change("os.version", version -> "9." + version);
    change("java.home", home -> home + File.separator + ".");
    change("java.class.path", OtherMachine::longer);
    change("java.library.path", path -> path + File.pathSeparator + "/elsewhere");
    for (String vendor : new String[] {"java.vendor", "java.vm.vendor"}) {
      change(vendor, name -> either(name, ORACLE, "Eclipse Adoptium", "Oracle Corporation"));
    }
    String otherPage = "https://adoptium.net/";
    change("java.vendor.url", url -> either(url, "oracle", otherPage, "https://java.oracle.com/"));
    change("java.vendor.version", version -> "Elsewhere-" + version);
    // Libraries tell virtual machines apart by these beginnings.
    String hotSpot = "Java HotSpot(TM) 64-Bit Server VM";
    change("java.vm.name", name -> either(name, OPEN_JDK, hotSpot, "OpenJDK 64-Bit Server VM"));
    String product = "Java(TM) SE Runtime Environment";
    change(
        "java.runtime.name",
        name -> either(name, OPEN_JDK, product, "OpenJDK Runtime Environment"));
    for (String version :
        new String[] {"java.version", "java.runtime.version", "java.vm.version"}) {
      change(version, OtherMachine::otherUpdate);
    }
  }

  /**
   * The class path with its first entry once more: code may look at whatever is on it, and finds
   * the same there, but a path that is on none is none of its business.
   */
  private static String longer(String path) {
    return path + File.pathSeparator + path.split(File.pathSeparator, 2)[0];
  }

  /** One of the others, by whether the value has the part. */
  private static String either(String value, String part, String ifSo, String ifNot) {
    return value.contains(part) ? ifSo : ifNot;
  }

  /** Another update of the same release: {@code 17.0.9+9}, {@code 1.8.0_504-b08}, {@code 25}. */
  static String otherUpdate(String version) {
    if (version.startsWith("1.")) {
      return version.replaceFirst("_.*", "") + "_999-b99";
    }
    String feature = version.replaceFirst("[^0-9].*", "");
    return feature + ".0.99" + (version.contains("+") ? "+99" : "");
  }

  private static void change(String property, UnaryOperator<String> other) {
    String value = System.getProperty(property);
    if (value != null) {
      System.setProperty(property, other.apply(value));
    }
  }
}
