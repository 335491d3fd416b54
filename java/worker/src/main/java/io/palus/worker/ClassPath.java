package io.palus.worker;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;

/**
 * The subject's class path: folders and jars, opened once for all class loaders of a worker.
 * Entries that do not exist or cannot be read are passed over, as {@code java} does.
 */
final class ClassPath {
  /** Null before Java 9, which knows one version of each class. */
  private static final Constructor<JarFile> VERSIONED;

  private static final Object VERSION;

  /**
   * What an entry that is asked for by its usual name is called in its jar; null before Java 10.
   */
  private static final Method REAL_NAME;

  static {
    Constructor<JarFile> versioned = null;
    Object version = null;
    try {
      Class<?> type = Class.forName("java.lang.Runtime$Version");
      versioned = JarFile.class.getConstructor(File.class, boolean.class, int.class, type);
      version = JarFile.class.getMethod("runtimeVersion").invoke(null);
    } catch (ReflectiveOperationException e) {
      versioned = null;
    }
    VERSIONED = versioned;
    VERSION = version;
    Method realName = null;
    try {
      realName = JarEntry.class.getMethod("getRealName");
    } catch (NoSuchMethodException e) {
      realName = null;
    }
    REAL_NAME = realName;
  }

  private final List<File> files = new ArrayList<>();
  private final List<JarFile> jars = new ArrayList<>();
  private final Map<File, ProtectionDomain> domains = new HashMap<>();

  ClassPath(List<String> entries) {
    for (String entry : entries) {
      File file = new File(entry).getAbsoluteFile();
      JarFile jar = null;
      if (file.isFile()) {
        try {
          jar = open(file);
        } catch (IOException e) {
          continue;
        }
      } else if (!file.isDirectory()) {
        continue;
      }
      files.add(file);
      jars.add(jar);
    }
  }

  /** A jar with what it has for this Java, as the project's class loader has it. */
  private static JarFile open(File file) throws IOException {
    if (VERSIONED == null) {
      return new JarFile(file, false);
    }
    try {
      return VERSIONED.newInstance(file, false, ZipFile.OPEN_READ, VERSION);
    } catch (InvocationTargetException e) {
      throw new IOException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  /** The folders and jars. */
  List<File> entries() {
    return files;
  }

  /** The bytes of a file on the path and where it was found; null if there is none. */
  Found find(String name) throws IOException {
    for (int i = 0; i < files.size(); i++) {
      try (InputStream stream = open(i, name)) {
        if (stream != null) {
          return new Found(readAll(stream), files.get(i));
        }
      }
    }
    return null;
  }

  /** Every place of a file on the path, in order. */
  List<URL> places(String name) throws MalformedURLException {
    List<URL> places = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      JarFile jar = jars.get(i);
      if (jar == null) {
        File file = new File(files.get(i), name);
        if (file.exists()) {
          places.add(file.toURI().toURL());
        }
      } else {
        JarEntry entry = jar.getJarEntry(name);
        if (entry != null) {
          places.add(new URL("jar:" + files.get(i).toURI().toURL() + "!/" + realName(entry)));
        }
      }
    }
    return places;
  }

  private static String realName(JarEntry entry) {
    try {
      return REAL_NAME == null ? entry.getName() : (String) REAL_NAME.invoke(entry);
    } catch (ReflectiveOperationException e) {
      return entry.getName();
    }
  }

  private InputStream open(int index, String name) throws IOException {
    JarFile jar = jars.get(index);
    if (jar == null) {
      File file = new File(files.get(index), name);
      return file.isFile() ? Files.newInputStream(file.toPath()) : null;
    }
    JarEntry entry = jar.getJarEntry(name);
    return entry == null ? null : jar.getInputStream(entry);
  }

  static byte[] readAll(InputStream stream) throws IOException {
    // A jar may lie about sizes.
    int size = Math.min(Math.max(1 << 10, stream.available()), 1 << 16);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(size);
    byte[] buffer = new byte[1 << 13];
    for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
      bytes.write(buffer, 0, read);
    }
    return bytes.toByteArray();
  }

  /** Where what was found is from, as its class tells. */
  synchronized ProtectionDomain domain(Found found) throws MalformedURLException {
    ProtectionDomain domain = domains.get(found.entry);
    if (domain == null) {
      CodeSource source = new CodeSource(found.entry.toURI().toURL(), (Certificate[]) null);
      domain = new ProtectionDomain(source, null);
      domains.put(found.entry, domain);
    }
    return domain;
  }

  /** Bytes and the entry of the class path that holds them. */
  static final class Found {
    final byte[] bytes;
    final File entry;

    Found(byte[] bytes, File entry) {
      this.bytes = bytes;
      this.entry = entry;
    }
  }
}
