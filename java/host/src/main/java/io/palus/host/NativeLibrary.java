package io.palus.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Loads the native library out of the jar, once per class loader.
 *
 * <p>The JVM refuses one file in two class loaders, which happens in every build that loads the
 * plugin twice (two realms, a daemon after an upgrade). On that refusal this loader gets a copy of
 * its own, with statics of its own.
 */
final class NativeLibrary {
  private static final List<String> SUPPORTED = List.of("linux-x86_64");
  private static boolean loaded;

  private NativeLibrary() {}

  /** Loads it, where this class loader has not done so before. */
  static synchronized void load() {
    if (loaded) {
      return;
    }
    String platform = platform();
    String name = System.mapLibraryName("palus_bridge");
    Path library = CachedResource.extract("natives/" + platform + "/" + name, name, false);
    if (library == null) {
      throw unsupported(platform);
    }
    Path copies = CachedResource.root().resolve("copies");
    sweep(copies);
    try {
      System.load(library.toString());
    } catch (UnsatisfiedLinkError e) {
      if (!String.valueOf(e.getMessage()).contains("already loaded in another classloader")) {
        throw unloadable(library, e);
      }
      loadCopy(library, copies);
    } catch (RuntimeException e) {
      throw denied(e);
    }
    loaded = true;
  }

  /**
   * Why it cannot be loaded, and what to do; empty where it is loaded from now on. That there is
   * one for this platform does not say so: a folder may allow no programs, or the system have
   * another C library.
   */
  static Optional<String> missing() {
    String platform = platform();
    String name = "natives/" + platform + "/" + System.mapLibraryName("palus_bridge");
    if (NativeLibrary.class.getClassLoader().getResource(name) == null) {
      return Optional.of(unsupported(platform).userMessage());
    }
    try {
      load();
      return Optional.empty();
    } catch (PalusException e) {
      return Optional.of(e.userMessage());
    }
  }

  /** The launcher of sandboxed workers, or null where the platform has none. */
  static Path launcher() {
    String name = platform().startsWith("windows") ? "palus-launcher.exe" : "palus-launcher";
    return CachedResource.extract("natives/" + platform() + "/" + name, name, true);
  }

  /** {@code <os>-<arch>}, as the folders in the jar are named. */
  static String platform() {
    String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    String osName =
        os.contains("windows")
            ? "windows"
            : os.contains("mac") ? "macos" : os.contains("linux") ? "linux" : os.replace(' ', '_');
    String archName =
        arch.equals("amd64") || arch.equals("x86_64")
            ? "x86_64"
            : arch.equals("arm64") || arch.equals("aarch64") ? "aarch64" : arch;
    return osName + "-" + archName;
  }

  private static void loadCopy(Path library, Path copies) {
    Path copy = null;
    try {
      TrustedFolders.make(copies);
      // The process id lets a later build see whether the copy is still in use.
      Path directory = Files.createTempDirectory(copies, ProcessHandle.current().pid() + "-");
      copy = Files.copy(library, directory.resolve(library.getFileName()));
      System.load(copy.toString());
    } catch (UnsatisfiedLinkError e) {
      throw unloadable(copy, e);
    } catch (IOException e) {
      throw PalusException.configuration(
          "cannot copy the native library to " + copies + ": " + e,
          "Make the folder writable, or name another one: -D"
              + CachedResource.CACHE_PROPERTY
              + "=<folder>",
          e);
    } finally {
      // A loaded file may go at once where the system allows it; elsewhere a later build sweeps it.
      if (copy != null && copy.toFile().delete()) {
        copy.getParent().toFile().delete();
      }
    }
  }

  /** Deletes copies whose process has ended. */
  static void sweep(Path copies) {
    if (!Files.isDirectory(copies)) {
      return;
    }
    try (Stream<Path> entries = Files.list(copies)) {
      for (Path directory : entries.collect(Collectors.toList())) {
        if (isStale(directory) && !Files.isSymbolicLink(directory)) {
          delete(directory);
        }
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      // Another build sweeps too; what is left is swept next time.
    }
  }

  private static boolean isStale(Path directory) {
    String pid = directory.getFileName().toString().split("-", 2)[0];
    try {
      Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(pid));
      return process.isEmpty();
    } catch (NumberFormatException e) {
      return false; // Not one of ours.
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.collect(Collectors.toList())) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(directory);
  }

  private static PalusException unsupported(String platform) {
    return new PalusException(
        PalusException.Kind.CONFIGURATION,
        "Palus has no native library for " + platform,
        "Supported: " + String.join(", ", SUPPORTED));
  }

  private static PalusException unloadable(Path library, UnsatisfiedLinkError e) {
    return new PalusException(
        PalusException.Kind.CONFIGURATION,
        "the native library of Palus cannot be loaded from " + library + ": " + e.getMessage(),
        "Is the folder mounted 'noexec', or this system's C library older than glibc 2.17 or not"
            + " glibc? Another folder can be named: -D"
            + CachedResource.CACHE_PROPERTY
            + "=<folder>",
        e);
  }

  /**
   * JDK 24 and newer may refuse native access; its exception does not exist on the older ones we
   * compile for.
   */
  private static RuntimeException denied(RuntimeException e) {
    if (!e.getClass().getName().equals("java.lang.IllegalCallerException")) {
      return e;
    }
    return new PalusException(
        PalusException.Kind.CONFIGURATION,
        "this JVM denies native access to build plugins, which Palus needs",
        "Add --enable-native-access=ALL-UNNAMED to the build's JVM: in MAVEN_OPTS or"
            + " .mvn/jvm.config (Maven), in org.gradle.jvmargs (Gradle)",
        e);
  }
}
