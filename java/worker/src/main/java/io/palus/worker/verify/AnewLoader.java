package io.palus.worker.verify;

import io.palus.worker.Logging;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads all classes anew, but for what the guards in them call and what writes logs: there is one
 * of each in a JVM.
 */
final class AnewLoader extends URLClassLoader {
  private static final String RUNTIME = "io.palus.worker.runtime.";

  private final Logging logging;

  AnewLoader(Path path) {
    super(path.urls, ClassLoader.getSystemClassLoader().getParent());
    this.logging = path.logging;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(RUNTIME) || logging.has(name)) {
      return ClassLoader.getSystemClassLoader().loadClass(name);
    }
    return super.loadClass(name, resolve);
  }

  /** The class path of this JVM, as it was when this was made. */
  static final class Path {
    private final URL[] urls;
    private final Logging logging = Logging.onClassPath();

    Path() throws IOException {
      List<URL> urls = new ArrayList<>();
      for (File entry : Logging.classPath()) {
        urls.add(entry.toURI().toURL());
      }
      this.urls = urls.toArray(new URL[0]);
    }
  }
}
