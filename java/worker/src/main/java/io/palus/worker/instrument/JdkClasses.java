package io.palus.worker.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;

/**
 * What classes of the JDK inherit from: a call names a class, and not the one that declares the
 * method. Their files are read, not they themselves loaded: a class that is loaded while another
 * one is transformed is shown to no transformer.
 */
final class JdkClasses {
  private static final Map<String, List<String>> ABOVE = new ConcurrentHashMap<>();

  private JdkClasses() {}

  /** Internal names of all that a class extends or implements; none for a class of others. */
  static List<String> above(String name) {
    List<String> above = ABOVE.get(name);
    if (above == null) {
      above = new ArrayList<>();
      add(name, above);
      ABOVE.put(name, above);
    }
    return above;
  }

  private static void add(String name, List<String> above) {
    try (InputStream file = open(name + ".class")) {
      if (file == null) {
        return; // a class of somebody else's, or of another release
      }
      ClassReader type = new ClassReader(file);
      List<String> parents = new ArrayList<>();
      Collections.addAll(parents, type.getInterfaces());
      if (type.getSuperName() != null) {
        parents.add(type.getSuperName());
      }
      for (String parent : parents) {
        above.add(parent);
        add(parent, above);
      }
    } catch (IOException | IllegalArgumentException e) {
      return; // of a release that cannot be read
    }
  }

  /** A file of the JDK's own; null where there is none of that name. */
  private static InputStream open(String file) throws IOException {
    ClassLoader system = ClassLoader.getSystemClassLoader();
    URL found = system.getParent().getResource(file);
    if (found == null) {
      // A part of the JDK that the class loader of programs has: its address names its module.
      found = system.getResource(file);
      if (found == null || !found.getProtocol().equals("jrt")) {
        return null;
      }
    }
    return found.openStream();
  }
}
