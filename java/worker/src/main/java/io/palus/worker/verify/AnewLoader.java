package io.palus.worker.verify;

import io.palus.worker.Logging;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Loads all classes anew, but for what the guards in them call and what writes logs: there is one
 * of each in a JVM.
 */
final class AnewLoader extends URLClassLoader {
  private static final String RUNTIME = "io.palus.worker.runtime.";

  private final Logging logging;

  /** What it was to define since {@link #defined} was last asked. */
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();

  AnewLoader(Path path) {
    super(path.urls, ClassLoader.getSystemClassLoader().getParent());
    this.logging = path.logging;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(RUNTIME) || logging.has(name) || BuildTool.has(name)) {
      return ClassLoader.getSystemClassLoader().loadClass(name);
    }
    return super.loadClass(name, resolve);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    asked.add(name); // first: stack or memory may end when the class is there
    try {
      return super.findClass(name);
    } catch (ClassNotFoundException e) {
      // One of an agent's: the JVM has its jar beside the class path.
      return ClassLoader.getSystemClassLoader().loadClass(name);
    }
  }

  /** The classes that it defined since this was last asked. */
  List<String> defined() {
    List<String> defined = new ArrayList<>();
    for (String name = asked.poll(); name != null; name = asked.poll()) {
      Class<?> type = findLoadedClass(name);
      if (type != null && type.getClassLoader() == this) {
        defined.add(name);
      }
    }
    return defined;
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
