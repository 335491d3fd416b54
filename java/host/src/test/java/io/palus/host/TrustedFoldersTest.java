package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Code that a build runs lies where nobody else can write. */
class TrustedFoldersTest {
  @TempDir Path temp;
  private String before;

  @BeforeEach
  void remember() {
    before = System.getProperty(CachedResource.CACHE_PROPERTY);
  }

  @AfterEach
  void putBack() {
    if (before == null) {
      System.clearProperty(CachedResource.CACHE_PROPERTY);
    } else {
      System.setProperty(CachedResource.CACHE_PROPERTY, before);
    }
  }

  private static void allow(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @DisabledOnOs(OS.WINDOWS)
  @Test
  void a_cache_that_others_can_write_to_is_refused_and_named() throws IOException {
    Path cache = Files.createDirectory(temp.resolve("cache"));
    System.setProperty(CachedResource.CACHE_PROPERTY, cache.toString());
    for (String shared : new String[] {"rwxrwxr-x", "rwxr-xrwx"}) {
      allow(cache, shared);
      PalusException e = assertThrows(PalusException.class, WorkerJar::path);
      assertEquals(PalusException.Kind.CONFIGURATION, e.kind());
      String said = e.userMessage();
      assertTrue(said.contains(cache + " can be written by other users"), said);
      assertTrue(e.hint().contains("-Dpalus.cacheDirectory="), e.hint());
      assertEquals(0, cache.toFile().list().length);
    }
    allow(cache, "rwxr-xr-x");
    Path jar = WorkerJar.path();
    assertEquals("rwx------", permissions(jar.getParent()));
    allow(jar.getParent(), "rwxrwxrwx");
    assertThrows(PalusException.class, WorkerJar::path);
  }

  @Test
  void a_file_that_others_can_write_to_or_a_link_is_replaced() throws IOException {
    System.setProperty(CachedResource.CACHE_PROPERTY, temp.resolve("cache").toString());
    Path jar = WorkerJar.path();
    allow(jar, "rw-rw-rw-");
    assertFalse(TrustedFolders.isTrusted(jar));
    assertEquals(jar, WorkerJar.path());
    assertTrue(TrustedFolders.isTrusted(jar));
    Path elsewhere = Files.move(jar, temp.resolve("elsewhere.jar"));
    Files.createSymbolicLink(jar, elsewhere);
    assertEquals(jar, WorkerJar.path());
    assertFalse(Files.isSymbolicLink(jar));
  }

  @Test
  void a_folder_of_another_user_is_refused_but_not_that_of_the_administrator() throws IOException {
    PosixFileAttributes own = Files.readAttributes(temp, PosixFileAttributes.class);
    UserPrincipal user = () -> "user";
    UserPrincipal stranger = () -> "stranger";
    assertNull(TrustedFolders.fault(owned(own, user), user));
    assertEquals(
        "belongs to another user (stranger)", TrustedFolders.fault(owned(own, stranger), user));
    assertNull(TrustedFolders.fault(owned(own, () -> "root"), user));
  }

  /** The same but for the owner, who only the administrator can change. */
  private static PosixFileAttributes owned(PosixFileAttributes folder, UserPrincipal owner) {
    return (PosixFileAttributes)
        Proxy.newProxyInstance(
            TrustedFoldersTest.class.getClassLoader(),
            new Class<?>[] {PosixFileAttributes.class},
            (proxy, method, arguments) ->
                method.getName().equals("owner") ? owner : method.invoke(folder, arguments));
  }
}
