package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceOptionsTest {
  @TempDir private Path work;

  @Test
  void the_agent_reads_back_every_path_whatever_it_is_called() throws IOException {
    Path odd = work.resolve(" a=b:c#d!e ü 日本");
    Path file = work.resolve("new folder").resolve("agent.properties");
    new TraceOptions(odd, work).classes(List.of(odd, work)).testClasses(List.of(odd)).write(file);
    Properties read = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      read.load(in);
    }
    assertEquals(odd.toString(), read.getProperty("output"));
    assertEquals(odd.toString(), read.getProperty("classes.0"));
    assertEquals(work.toString(), read.getProperty("classes.1"));
    assertEquals(odd.toString(), read.getProperty("testClasses.0"));
    assertEquals("10000", read.getProperty("cap"));
    assertTrue(read.values().contains(System.getProperty("user.home")));
    assertFalse(read.values().contains("root"), "half of all machines have that user");
  }

  @Test
  void the_options_are_their_owners_alone() throws IOException {
    Path file = work.resolve("agent.properties");
    new TraceOptions(work, work).write(file);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void the_same_options_are_the_same_bytes() throws IOException {
    new TraceOptions(work, work).write(work.resolve("1"));
    new TraceOptions(work, work).write(work.resolve("2"));
    assertEquals(Files.readString(work.resolve("1")), Files.readString(work.resolve("2")));
  }

  @Test
  void a_link_in_their_place_goes_and_what_it_leads_to_stays() throws IOException {
    Path precious = Files.writeString(work.resolve("precious"), "the user's");
    Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rw-r--r--"));
    Path file = Files.createSymbolicLink(work.resolve("agent.properties"), precious);
    new TraceOptions(work, work).write(file);
    assertEquals("the user's", Files.readString(precious));
    assertEquals(
        "rw-r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(precious)));
    assertFalse(Files.isSymbolicLink(file));
  }
}
