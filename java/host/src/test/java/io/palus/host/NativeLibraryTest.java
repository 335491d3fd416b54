package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  @TempDir private Path cache;

  @BeforeEach
  void useCache() {
    System.setProperty(CachedResource.CACHE_PROPERTY, cache.toString());
  }

  @AfterEach
  void useOrdinaryCache() {
    System.clearProperty(CachedResource.CACHE_PROPERTY);
  }

  @Test
  void two_class_loaders_of_one_jvm_both_get_the_library() throws Throwable {
    try (LoadedHost first = new LoadedHost();
        LoadedHost second = new LoadedHost()) {
      assertTrue(first.echo("a", "1").contains("1 a=1"));
      assertTrue(second.echo("b", "2").contains("1 b=2"));
      assertTrue(first.echo("c", "3").contains("1 c=3"));
    }
    assertEquals(
        1, named(System.mapLibraryName("palus_bridge")).size(), "private copies are put away");
  }

  @Test
  void the_shipped_library_has_no_switch_for_tests() throws IOException {
    String name = System.mapLibraryName("palus_bridge");
    String path = "natives/" + NativeLibrary.platform() + "/" + name;
    List<Boolean> switches = new ArrayList<>();
    for (URL library : Collections.list(getClass().getClassLoader().getResources(path))) {
      try (InputStream in = library.openStream()) {
        String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        switches.add(text.contains("asked to panic"));
      }
    }
    assertEquals(List.of(true, false), switches, "the one of these tests, and the shipped one");
  }

  @Test
  void a_damaged_file_in_the_cache_is_replaced() throws IOException {
    Path jar = WorkerJar.path();
    byte[] whole = Files.readAllBytes(jar);
    Files.write(jar, new byte[] {1, 2, 3});
    assertEquals(jar, WorkerJar.path());
    assertArrayEquals(whole, Files.readAllBytes(jar));
    assertEquals(List.of(), named(".tmp"));
  }

  @Test
  void the_launcher_can_be_executed() {
    assertTrue(Files.isExecutable(WorkerJar.launcher()));
  }

  @Test
  void copies_of_ended_processes_are_swept_and_others_stay() throws Throwable {
    // No system numbers its processes that high.
    Path stale = Files.createDirectories(cache.resolve("copies").resolve("4194304999-1"));
    Files.writeString(stale.resolve("lib.so"), "x");
    String pid = ProcessHandle.current().pid() + "-1";
    Path used = Files.createDirectories(cache.resolve("copies").resolve(pid));
    try (LoadedHost host = new LoadedHost()) {
      host.echo("a", "1");
    }
    assertFalse(Files.exists(stale));
    assertTrue(Files.exists(used));
  }

  @Test
  void an_unsupported_platform_gets_an_error_that_lists_the_supported_ones() throws Throwable {
    String arch = System.getProperty("os.arch");
    System.setProperty("os.arch", "sparc");
    try (LoadedHost host = new LoadedHost()) {
      Throwable e = assertThrows(RuntimeException.class, () -> host.echo("a", "1"));
      assertTrue(e.getMessage().endsWith("-sparc"), e.getMessage());
      String said = (String) e.getClass().getMethod("userMessage").invoke(e);
      assertTrue(said.contains("Supported: linux-x86_64"), said);
    } finally {
      System.setProperty("os.arch", arch);
    }
  }

  @Test
  void a_library_that_does_not_load_is_as_good_as_none() throws Exception {
    try (LoadedHost host = new LoadedHost()) {
      assertEquals(Optional.empty(), host.missing());
    }
    String library = System.mapLibraryName("palus_bridge");
    Path folder = cache.resolve("natives").resolve(NativeLibrary.platform());
    Files.writeString(Files.createDirectories(folder).resolve(library), "of another system");
    try (LoadedHost host = new LoadedHost(cache)) {
      String why = host.missing().orElseThrow().toString();
      assertTrue(why.contains("cannot be loaded from"), why);
      assertTrue(why.contains("mounted 'noexec'"), why);
    }
  }

  @Test
  void a_cache_that_cannot_be_written_is_named_with_the_way_out() throws IOException {
    Path file = Files.writeString(cache.resolve("file"), "no folder");
    System.setProperty(CachedResource.CACHE_PROPERTY, file.toString());
    PalusException e = assertThrows(PalusException.class, WorkerJar::path);
    assertEquals(PalusException.Kind.CONFIGURATION, e.kind());
    assertTrue(e.userMessage().contains(file.toString()), e.userMessage());
    assertTrue(e.hint().contains("-Dpalus.cacheDirectory="), e.hint());
  }

  @Test
  void a_user_without_a_home_gets_no_folder_in_the_project() throws Exception {
    String home = System.setProperty("user.home", "?");
    System.clearProperty(CachedResource.CACHE_PROPERTY);
    try (LoadedHost host = new LoadedHost()) {
      assertEquals(System.getenv("XDG_CACHE_HOME") != null, host.missing().isEmpty());
    } finally {
      System.setProperty("user.home", home);
    }
    assertFalse(Files.exists(Path.of("?")));
  }

  private List<Path> named(String ending) throws IOException {
    try (Stream<Path> files = Files.walk(cache)) {
      return files.filter(f -> f.toString().endsWith(ending)).collect(Collectors.toList());
    }
  }
}
