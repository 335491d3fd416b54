package io.palus.worker;

import java.net.MalformedURLException;
import java.net.URL;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * Has the resources of a class path, and defines classes as a loader of the JDK's does: each has a
 * package, and tells where it is from.
 */
abstract class ClassPathLoader extends ClassLoader {
  private final ClassPath classPath;

  ClassPathLoader(ClassPath classPath) {
    // The loader above the application's: the JDK without the worker's own jar.
    super(ClassLoader.getSystemClassLoader().getParent());
    this.classPath = classPath;
  }

  final Class<?> define(String name, byte[] bytes, ProtectionDomain domain) {
    int dot = name.lastIndexOf('.');
    if (dot > 0) {
      definePackageOf(name.substring(0, dot));
    }
    return defineClass(name, bytes, 0, bytes.length, domain);
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

  @Override
  protected final URL findResource(String name) {
    List<URL> places = places(name);
    return places.isEmpty() ? null : places.get(0);
  }

  @Override
  protected final Enumeration<URL> findResources(String name) {
    return Collections.enumeration(places(name));
  }

  private List<URL> places(String name) {
    try {
      return classPath.places(name);
    } catch (MalformedURLException e) {
      return Collections.emptyList();
    }
  }
}
