package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {
  @TempDir Path folder;

  @Test
  void a_jar_has_what_it_holds_for_this_java() throws IOException {
    String own = "META-INF/versions/9/";
    Path versioned = jar("versioned.jar", true, List.of("a", own + "a", own + "b"));
    Path plain = jar("plain.jar", false, List.of("a", own + "a", own + "b"));
    assertEquals(own + "a", text(versioned, "a"));
    assertEquals(own + "b", text(versioned, "b"));
    assertEquals(own + "a", streamed(versioned, "a"));
    assertEquals(own + "b", streamed(versioned, "b"));
    assertEquals("a", streamed(plain, "a"));
    assertEquals("a", text(plain, "a"));
    assertNull(text(plain, "b"));
  }

  /** Each entry holds its own name. */
  private Path jar(String name, boolean isVersioned, List<String> entries) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (isVersioned) {
      manifest.getMainAttributes().putValue("Multi-Release", "true");
    }
    Path file = folder.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      for (String entry : entries) {
        out.putNextEntry(new JarEntry(entry));
        out.write(entry.getBytes(StandardCharsets.UTF_8));
      }
    }
    return file;
  }

  /** As a class loader streams it, from the place that it tells. */
  private static String streamed(Path jar, String name) throws IOException {
    List<URL> places = new ClassPath(List.of(jar.toString())).places(name);
    assertEquals(1, places.size());
    try (InputStream stream = places.get(0).openStream()) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String text(Path jar, String name) throws IOException {
    ClassPath.Found found = new ClassPath(List.of(jar.toString())).find(name);
    if (found == null) {
      return null;
    }
    assertEquals(new File(jar.toString()), found.entry);
    return new String(found.bytes, StandardCharsets.UTF_8);
  }
}
