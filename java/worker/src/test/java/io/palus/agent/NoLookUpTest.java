package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The agent runs in the JVM of the user's tests, and asks no network there. */
class NoLookUpTest {
  @Test
  void no_class_of_the_agent_names_what_asks_the_network() throws IOException {
    List<String> asking = new ArrayList<>();
    int classes = 0;
    try (JarFile jar = new JarFile(System.getProperty("palus.workerJar"))) {
      for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        String name = entry.getName();
        if (name.startsWith("io/palus/agent/") && name.endsWith(".class")) {
          classes++;
          byte[] bytes = jar.getInputStream(entry).readAllBytes();
          String text = new String(bytes, StandardCharsets.ISO_8859_1);
          // The name of a JVM has that of the host in it, for which Java 8 asks.
          boolean names =
              text.contains("getRuntimeMXBean")
                  || text.matches(
                      "(?s).*java/(net/(Inet|Socket|Datagram|URLConnection|NetworkInterface|http)|nio/channels/Socket).*");
          if (names) {
            asking.add(name);
          }
        }
      }
    }
    assertTrue(classes > 20, "found " + classes);
    assertEquals(List.of(), asking);
  }
}
