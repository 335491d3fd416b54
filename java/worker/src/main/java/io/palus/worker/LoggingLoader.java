package io.palus.worker;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * Loads what {@link Logging} has, and what that uses, as it stands on the class path: above the
 * loaders of the subject, and once for all of them.
 */
final class LoggingLoader extends ClassLoader {
  private final ClassPath classPath;
  private final Logging logging;

  LoggingLoader(ClassPath classPath) {
    super(ClassLoader.getSystemClassLoader().getParent());
    this.classPath = classPath;
    this.logging = Logging.on(classPath.entries());
  }

  /** Begins the libraries, before any code of the subject's runs, whose doing it is not. */
  void begin(UserFiles user, Denials kernel) throws IOException {
    kernel.pause();
    logging.begin(this);
    user.restore();
    kernel.resume();
  }

  /** Whether a class is to come from here. */
  boolean has(String name) {
    return logging.has(name);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    ClassPath.Found found;
    try {
      found = classPath.find(name.replace('.', '/') + ".class");
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
    // The subject's own classes, such as an appender of its own, would have no guards.
    if (found == null || found.entry.isDirectory()) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, found.bytes, 0, found.bytes.length);
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
      return classPath.places(name);
    } catch (MalformedURLException e) {
      return Collections.emptyList();
    }
  }
}
