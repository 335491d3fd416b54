package io.palus.worker;

import java.io.IOException;

/**
 * Loads what {@link Logging} has, and what that uses, as it stands on the class path: above the
 * loaders of the subject, and once for all of them.
 */
final class LoggingLoader extends ClassPathLoader {
  private final ClassPath classPath;
  private final Logging logging;

  LoggingLoader(ClassPath classPath) {
    super(classPath);
    this.classPath = classPath;
    this.logging = Logging.on(classPath.entries());
  }

  /** Begins the libraries, before any code of the subject's runs, whose doing it is not. */
  void begin(UserFiles user, Denials kernel) throws IOException {
    kernel.pause();
    kernel.begin(() -> logging.begin(this));
    user.restore();
    kernel.resume();
  }

  /** Whether a class is to come from here. */
  boolean has(String name) {
    return logging.has(name);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    try {
      ClassPath.Found found = classPath.find(name.replace('.', '/') + ".class");
      // The subject's own classes, such as an appender of its own, would have no guards.
      if (found == null || found.entry.isDirectory()) {
        throw new ClassNotFoundException(name);
      }
      return define(name, found.bytes, classPath.domain(found));
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
