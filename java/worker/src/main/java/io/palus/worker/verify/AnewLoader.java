package io.palus.worker.verify;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** Loads all classes anew, but for what the guards in them call: there is one of it in a JVM. */
final class AnewLoader extends URLClassLoader {
  private static final String RUNTIME = "io.palus.worker.runtime.";

  AnewLoader(URL[] classPath) {
    super(classPath, ClassLoader.getSystemClassLoader().getParent());
  }

  /** The class path of this JVM. */
  static URL[] classPath() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(new File(entry).toURI().toURL());
    }
    return urls.toArray(new URL[0]);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(RUNTIME)) {
      return ClassLoader.getSystemClassLoader().loadClass(name);
    }
    return super.loadClass(name, resolve);
  }
}
