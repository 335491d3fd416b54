package io.palus.worker.verify;

import java.net.URL;
import java.net.URLClassLoader;

/** Loads all classes anew, but for what the guards in them call: there is one of it in a JVM. */
final class AnewLoader extends URLClassLoader {
  private static final String RUNTIME = "io.palus.worker.runtime.";

  AnewLoader(URL[] classPath) {
    super(classPath, ClassLoader.getSystemClassLoader().getParent());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(RUNTIME)) {
      return ClassLoader.getSystemClassLoader().loadClass(name);
    }
    return super.loadClass(name, resolve);
  }
}
