package io.palus.host;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The host loaded once more, by a class loader of its own, as a build does that loads the plugin
 * twice.
 */
final class LoadedHost implements AutoCloseable {
  private final URLClassLoader loader;

  /** With these folders before those of the class path. */
  LoadedHost(Path... first) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (Path folder : first) {
      urls.add(folder.toUri().toURL());
    }
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Paths.get(entry).toUri().toURL());
    }
    loader = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  /** Runs a self test of the native library; answers what it said. */
  List<String> echo(String name, String value) throws Throwable {
    List<String> lines = new ArrayList<>();
    Class<?> settingsType = loader.loadClass("io.palus.host.Settings");
    Object builder = settingsType.getMethod("builder").invoke(null);
    Method set = builder.getClass().getMethod("set", String.class, Object.class);
    set.invoke(builder, "selfTest", "echo");
    set.invoke(builder, name, value);
    Object settings = builder.getClass().getMethod("build").invoke(builder);
    Class<?> consoleType = loader.loadClass("io.palus.host.Console");
    InvocationHandler handler =
        (proxy, method, args) -> {
          if (method.getName().equals("line")) {
            lines.add(args[0] + " " + args[1]);
          }
          return null;
        };
    Object console = Proxy.newProxyInstance(loader, new Class<?>[] {consoleType}, handler);
    try {
      loader
          .loadClass("io.palus.host.Palus")
          .getMethod("generate", settingsType, consoleType)
          .invoke(null, settings, console);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    return lines;
  }

  /** Why it cannot work, if it says so. */
  Optional<?> missing() throws ReflectiveOperationException {
    Class<?> palus = loader.loadClass("io.palus.host.Palus");
    return (Optional<?>) palus.getMethod("missing").invoke(null);
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
