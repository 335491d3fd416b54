package io.palus.host;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;

/**
 * Files that other processes or the system's loader need, taken out of our jars into a folder of
 * the user's cache that is named after their content. So two versions never meet, and a file is
 * written once however many builds run.
 */
final class CachedResource {
  /** Overrides the folder, for tests and for homes that cannot be written. */
  static final String CACHE_PROPERTY = "palus." + OptionNames.CACHE_DIRECTORY;

  private CachedResource() {}

  /**
   * The file with the content of a resource of this class's loader, or null where there is no such
   * resource.
   */
  static Path extract(String resource, String fileName, boolean executable) {
    URL url = CachedResource.class.getClassLoader().getResource(resource);
    return url == null ? null : extract(url, fileName, executable);
  }

  /** The file with the content of the resource. */
  static Path extract(URL url, String fileName, boolean executable) {
    byte[] content;
    try {
      content = read(url);
    } catch (IOException e) {
      throw new PalusException(
          PalusException.Kind.INTERNAL,
          "cannot read " + url + ": " + e.getMessage(),
          "Is the jar damaged?",
          e);
    }
    return store(content, fileName, executable);
  }

  private static byte[] read(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    // A cached JarFile would keep the plugin's jar open after its class loader is gone.
    connection.setUseCaches(false);
    try (InputStream in = connection.getInputStream()) {
      return in.readAllBytes();
    }
  }

  private static Path store(byte[] content, String fileName, boolean executable) {
    Path directory = root();
    Path file = directory.resolve(hash(content)).resolve(fileName);
    try {
      TrustedFolders.make(directory);
      TrustedFolders.make(file.getParent());
      if (!holds(file, content)) {
        write(file, content, executable);
      }
      return file;
    } catch (IOException e) {
      throw PalusException.configuration(
          "cannot write " + file + ": " + e,
          "Make the folder writable, or name another one: -D" + CACHE_PROPERTY + "=<folder>",
          e);
    }
  }

  /** Writes beside the file and renames, so that nobody ever sees half of it. */
  private static void write(Path file, byte[] content, boolean executable) throws IOException {
    Path temporary = Files.createTempFile(file.getParent(), "new", ".tmp");
    try {
      Files.write(temporary, content);
      if (executable && !temporary.toFile().setExecutable(true, false)) {
        throw new IOException("cannot make it executable");
      }
      try {
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileAlreadyExistsException | java.nio.file.AccessDeniedException e) {
        // Windows does not replace a file in use: another build was faster.
        if (!holds(file, content)) {
          throw e;
        }
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static boolean holds(Path file, byte[] content) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && TrustedFolders.isTrusted(file)
        && Files.size(file) == content.length
        && Arrays.equals(Files.readAllBytes(file), content);
  }

  /** The folder of everything Palus keeps for this user. */
  static Path root() {
    String chosen = System.getProperty(CACHE_PROPERTY);
    if (chosen != null && !chosen.isEmpty()) {
      return Paths.get(chosen).toAbsolutePath();
    }
    String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    if (os.contains("windows")) {
      String local = System.getenv("LOCALAPPDATA");
      return (local == null ? home().resolve("AppData").resolve("Local") : Paths.get(local))
          .resolve("palus");
    }
    if (os.contains("mac")) {
      return home().resolve("Library").resolve("Caches").resolve("palus");
    }
    String cache = System.getenv("XDG_CACHE_HOME");
    // The specification says to ignore relative ones.
    boolean usable = cache != null && Paths.get(cache).isAbsolute();
    return (usable ? Paths.get(cache) : home().resolve(".cache")).resolve("palus");
  }

  /**
   * Where Java knows none, as for a user without a name in a container, it says a question mark.
   */
  private static Path home() {
    Path home = Paths.get(System.getProperty("user.home", ""));
    if (!home.isAbsolute()) {
      throw new PalusException(
          PalusException.Kind.CONFIGURATION,
          "this user has no home folder to keep files of Palus in (`user.home` is `" + home + "`)",
          "Name a folder: -D" + CACHE_PROPERTY + "=<folder>");
    }
    return home;
  }

  private static String hash(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      StringBuilder hex = new StringBuilder();
      for (byte b : digest) {
        hex.append(Character.forDigit((b >> 4) & 15, 16)).append(Character.forDigit(b & 15, 16));
      }
      return hex.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
