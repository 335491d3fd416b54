package io.palus.worker;

import io.palus.worker.instrument.UnguardableException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * Loads the subject anew: its statics are as after class initialisation. Sees the JDK, the class
 * path, and of ours only what instrumented code calls. What writes logs is not loaded anew.
 */
final class SubjectLoader extends ClassLoader {
  private static final String RUNTIME = "io.palus.worker.runtime.";

  private final SubjectClasses classes;

  SubjectLoader(SubjectClasses classes) {
    // The loader above the application's: the JDK without the worker's own jar.
    super(ClassLoader.getSystemClassLoader().getParent());
    this.classes = classes;
  }

  SubjectClasses classes() {
    return classes;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(RUNTIME)) {
      return SubjectLoader.class.getClassLoader().loadClass(name);
    }
    if (classes.logging().has(name)) {
      return classes.logging().loadClass(name);
    }
    return super.loadClass(name, resolve);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    SubjectClasses.Ready ready;
    try {
      ready = classes.find(name.replace('.', '/'));
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    } catch (UnguardableException e) {
      throw new ClassFormatError(name + " is not loaded: " + e.getMessage());
    }
    if (ready == null) {
      throw new ClassNotFoundException(name);
    }
    int dot = name.lastIndexOf('.');
    if (dot > 0) {
      definePackageOf(name.substring(0, dot));
    }
    return defineClass(name, ready.bytes, 0, ready.bytes.length, ready.domain);
  }

  @SuppressWarnings("deprecation") // getDefinedPackage came with Java 9
  private void definePackageOf(String name) {
    if (getPackage(name) == null) {
      try {
        definePackage(name, null, null, null, null, null, null, null);
      } catch (IllegalArgumentException e) {
        return; // another thread was faster
      }
    }
  }

  /**
   * Defines a class of ours in a package of the subject's; it may be there already, where memory or
   * stack ran out just after it had been defined.
   */
  Class<?> define(String name, byte[] bytes) {
    Class<?> known = findLoadedClass(name);
    return known != null ? known : defineClass(name, bytes, 0, bytes.length);
  }

  @Override
  protected URL findResource(String name) {
    List<URL> places = places(name);
    return places.isEmpty() ? null : places.get(0);
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    return ClassPath.enumerate(places(name));
  }

  private List<URL> places(String name) {
    try {
      return classes.classPath().places(name);
    } catch (MalformedURLException e) {
      return Collections.emptyList();
    }
  }
}
