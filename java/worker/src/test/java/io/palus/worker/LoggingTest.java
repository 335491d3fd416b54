package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.palus.worker.instrument.LoggingRules;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who holds a logger is not to blame for what its library does when it begins. */
class LoggingTest {
  private static final String FACTORY =
      "package org.slf4j; public class LoggerFactory {"
          + "  static {"
          + "    String file = System.getProperty(\"app.log\", \"app.log\");"
          + "    try { new java.io.FileOutputStream(file).close(); }"
          + "    catch (java.io.IOException e) { }"
          + "    Runtime.getRuntime().addShutdownHook(new Thread() { });"
          + "    System.setProperty(\"log.began\", \"\" + System.nanoTime());"
          + "  }"
          + "  public static Logger getLogger(String name) { return new Logger(name); }"
          + "}";

  private static final String LOGGER =
      "package org.slf4j; public class Logger {"
          + "  private final String name; private static int count;"
          + "  Logger(String name) { this.name = name; }"
          + "  public void info(String text) { count++; }"
          + "}";

  private static final String STOCK =
      "package demo; public class Stock {  private static final org.slf4j.Logger LOG ="
          + " org.slf4j.LoggerFactory.getLogger(\"s\");  public static int twice(int n) {"
          + " LOG.info(\"twice\"); return 2 * n; }  public static boolean wipe() {"
          + " LOG.info(\"gone\"); return new java.io.File(\"x\").delete(); }}";

  @TempDir Path folder;

  /** Ends of {@code twice} and {@code wipe}. */
  private List<String> ends(Path classes, List<Path> libraries) throws IOException {
    try (WorkerProcess worker = new WorkerProcess(folder)) {
      worker.libraries = libraries;
      worker.setUp(classes, 100_000, 500, 60_000);
      worker.begin("demo.Stock");
      return List.of(
          worker
              .runAll(List.of(s -> s.callStatic("demo/Stock", "twice", "(I)I", s.constant(3))))
              .get(0)
              .end(),
          worker.runAll(List.of(s -> s.callStatic("demo/Stock", "wipe", "()Z"))).get(0).end());
    }
  }

  private Path compile(String... files) {
    return Sources.compile(folder, 17, files);
  }

  /** What the library is made of, beside what makes loggers. */
  private static final String HOOKS =
      "package org.slf4j; public class Hooks {"
          + "  public Hooks() { }"
          + "  public static void add(Runnable atEnd) { new Thread(atEnd); }"
          + "}";

  private static final String USER =
      "package demo; public class User {"
          + "  public static int adds(int n) { org.slf4j.Hooks.add(() -> { }); return n; }"
          + "  public static int makes(int n) { new org.slf4j.Hooks(); return n; }"
          + "  public static int refers(int n) {"
          + "    java.util.function.Consumer<Runnable> adds = org.slf4j.Hooks::add;"
          + "    adds.accept(() -> { }); return n;"
          + "  }"
          + "  public static int heir(int n) { Heir.add(() -> { }); return n; }"
          + "}";

  private static final String HEIR = "package demo; public class Heir extends org.slf4j.Hooks { }";

  /** All sources; the library's classes go into a jar, the path of which is returned. */
  private Path split(String... files) throws IOException {
    Path all = compile(files);
    Path jar = folder.resolve("log.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> found = Files.walk(all.resolve("org"))) {
      for (Path file : (Iterable<Path>) found.filter(Files::isRegularFile)::iterator) {
        out.putNextEntry(new JarEntry(all.relativize(file).toString()));
        Files.copy(file, (OutputStream) out);
      }
    }
    Files.move(all.resolve("org"), folder.resolve("gone"));
    return jar;
  }

  private List<String> endsOfUser(String... methods) throws IOException {
    Path jar =
        split(
            "org/slf4j/LoggerFactory.java", FACTORY,
            "org/slf4j/Logger.java", LOGGER,
            "org/slf4j/Hooks.java", HOOKS,
            "demo/User.java", USER,
            "demo/Heir.java", HEIR);
    return endsOf("demo/User", jar, methods);
  }

  private List<String> endsOf(String type, Path jar, String... methods) throws IOException {
    try (WorkerProcess worker = new WorkerProcess(folder)) {
      worker.libraries = List.of(jar);
      worker.setUp(folder.resolve("classes"), 100_000, 500, 60_000);
      worker.begin();
      List<String> ends = new ArrayList<>();
      for (String method : methods) {
        Consumer<SequenceBuilder> call = s -> s.callStatic(type, method, "(I)I", s.constant(3));
        ends.add(worker.runAll(List.of(call)).get(0).end());
      }
      return ends;
    }
  }

  private static final String CALM =
      "package demo; public class Calm { public static int same(int n) { return n; } }";

  /** A factory that begins so. */
  private static String begun(String by) {
    return "package org.slf4j; public class LoggerFactory {"
        + ("  static { " + by + " }")
        + "  public static Logger getLogger(String name) { return new Logger(name); }"
        + "}";
  }

  /** The same text for another library. */
  private static String commons(String text) {
    return text.replace("org.slf4j", "org.apache.commons.logging").replace("Logger", "Log");
  }

  @Test
  void a_library_whose_initialiser_throws_an_error_ends_nothing() throws Exception {
    Path jar =
        split(
            "org/slf4j/LoggerFactory.java",
            begun("if (true) throw new AssertionError(\"no file\");"),
            "org/slf4j/Logger.java",
            LOGGER,
            "demo/Calm.java",
            CALM);
    assertEquals(List.of("completed"), endsOf("demo/Calm", jar, "same"));
  }

  @Test
  void a_library_that_never_ends_to_begin_holds_up_nothing() throws Exception {
    String never = "try { Thread.sleep(Long.MAX_VALUE); } catch (InterruptedException e) { }";
    String tells = "System.setProperty(\"log.other\", \"began\");";
    Path jar =
        split(
            "org/slf4j/LoggerFactory.java", begun(never),
            "org/slf4j/Logger.java", LOGGER,
            "org/apache/commons/logging/LogFactory.java", commons(begun(tells)),
            "org/apache/commons/logging/Log.java", commons(LOGGER));
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    try {
      ClassLoader loader = new LoggingLoader(new ClassPath(List.of(jar.toString())));
      Logging logging = Logging.on(List.of(jar.toFile()));
      assertTimeoutPreemptively(Duration.ofSeconds(60), () -> logging.begin(loader, 3000));
      assertEquals("began", System.getProperty("log.other"));
      assertNull(System.getProperty("log4j2.contextSelector"));
      assertSame(context, Thread.currentThread().getContextClassLoader());
    } finally {
      System.clearProperty("log.other");
      LoggingRules.begin(List.of());
    }
  }

  @Test
  void where_a_folder_has_classes_of_one_the_others_stay_surroundings() throws Exception {
    Path jar =
        split(
            "org/apache/commons/logging/LogFactory.java", commons(FACTORY),
            "org/apache/commons/logging/Log.java", commons(LOGGER),
            "demo/Stock.java", commons(STOCK));
    compile(
        "org/slf4j/impl/StaticLoggerBinder.java",
        "package org.slf4j.impl; public class StaticLoggerBinder { }");
    assertEquals("completed", ends(folder.resolve("classes"), List.of(jar)).get(0));
    Logging logging = Logging.on(List.of(folder.resolve("classes").toFile()));
    assertFalse(logging.has("org.slf4j.LoggerFactory"));
    assertFalse(logging.has("ch.qos.logback.classic.Logger"), "it implements SLF4J's");
  }

  @Test
  void its_classes_have_a_package_and_tell_where_they_are_from() throws Exception {
    Path jar = split("org/slf4j/Logger.java", LOGGER);
    ClassLoader loader = new LoggingLoader(new ClassPath(List.of(jar.toString())));
    Class<?> type = loader.loadClass("org.slf4j.Logger");
    assertEquals("org.slf4j", type.getPackage().getName());
    assertEquals(jar.toUri().toURL(), type.getProtectionDomain().getCodeSource().getLocation());
  }

  /** Its thread writes what it is handed, and tells by which number the kernel knows it. */
  private static final String WRITER =
      "package org.slf4j; public class Logger {"
          + "  private static final java.util.concurrent.BlockingQueue<String> QUEUE ="
          + "    new java.util.concurrent.LinkedBlockingQueue<>();"
          + "  static {"
          + "    Thread writer = new Thread(() -> {"
          + "      try {"
          + "        QUEUE.take();"
          + "        try (java.net.Socket socket = new java.net.Socket(\"127.0.0.1\", 1)) { }"
          + "        catch (java.io.IOException e) { }"
          + "        System.setProperty(\"log.writer\", java.nio.file.Files.readSymbolicLink("
          + "          java.nio.file.Paths.get(\"/proc/thread-self\")).getFileName().toString());"
          + "        QUEUE.take();"
          + "      } catch (Exception e) { }"
          + "    });"
          + "    writer.setDaemon(true);"
          + "    writer.start();"
          + "  }"
          + "  Logger(String name) { }"
          + "  public static void log(String text) { QUEUE.add(text); }"
          + "}";

  /** As the launcher's helper does. */
  private static void deny(ByteBuffer memory, int thread, String what) {
    byte[] text = what.getBytes(StandardCharsets.UTF_8);
    int at = 64 + 512 * (int) memory.getLong(0);
    memory.putInt(at, thread).putInt(at + 4, text.length);
    for (int i = 0; i < text.length; i++) {
      memory.put(at + 8 + i, text[i]);
    }
    memory.putLong(0, memory.getLong(0) + 1);
  }

  @Test
  void what_a_thread_that_began_with_a_library_is_denied_counts_as_the_subjects() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/thread-self")));
    Path jar = split("org/slf4j/LoggerFactory.java", begun(""), "org/slf4j/Logger.java", WRITER);
    for (boolean isWorker : List.of(true, false)) {
      ByteBuffer memory = ByteBuffer.allocate(1 << 16).order(ByteOrder.nativeOrder());
      KernelNotes notes = new KernelNotes(memory);
      int[] earlier = new int[1];
      CountDownLatch isKnown = new CountDownLatch(1);
      CountDownLatch isOver = new CountDownLatch(1);
      Thread ours =
          new Thread(
              () -> {
                earlier[0] = number();
                isKnown.countDown();
                awaitQuietly(isOver);
              });
      ours.start();
      isKnown.await();
      Denials kernel =
          isWorker ? Denials.ofThisThread(notes) : Denials.ofThisThreadAndNewOnes(notes);
      ClassLoader loader = new LoggingLoader(new ClassPath(List.of(jar.toString())));
      int mine = number();
      try {
        kernel.begin(
            () -> {
              Logging.on(List.of(jar.toFile())).begin(loader, 60_000);
              deny(memory, mine, "to begin");
            });
        assertNull(kernel.since(), "the library's own beginning");
        loader.loadClass("org.slf4j.Logger").getMethod("log", String.class).invoke(null, "a");
        while (System.getProperty("log.writer") == null) {
          Thread.sleep(1);
        }
        deny(memory, earlier[0], "ours");
        assertNull(kernel.since());
        deny(memory, Integer.parseInt(System.getProperty("log.writer")), "connect");
        assertEquals("connect by the kernel", kernel.since());
      } finally {
        System.clearProperty("log.writer");
        LoggingRules.begin(List.of());
        isOver.countDown();
      }
    }
  }

  private static int number() {
    try {
      Path link = Files.readSymbolicLink(Path.of("/proc/thread-self"));
      return Integer.parseInt(link.getFileName().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void what_is_neither_a_logger_nor_a_log_is_denied() throws Exception {
    assertEquals(
        List.of("denied Hooks.add", "denied Hooks.<init>", "denied Hooks.add"),
        endsOfUser("adds", "makes", "refers"));
  }

  @Test
  void a_class_that_extends_one_of_the_library_is_not_loaded() throws Exception {
    String end = endsOfUser("heir").get(0);
    assertFalse(end.startsWith("completed"), end);
  }

  @Test
  void a_library_in_a_jar_is_begun_before_and_has_no_guards() throws Exception {
    Path jar =
        split(
            "org/slf4j/LoggerFactory.java", FACTORY,
            "org/slf4j/Logger.java", LOGGER,
            "demo/Stock.java", STOCK);
    assertEquals(
        List.of("completed", "denied File.delete on a file that it did not make"),
        ends(folder.resolve("classes"), List.of(jar)));
  }

  @Test
  void where_it_is_itself_what_is_tested_it_is_a_subject() throws Exception {
    Path all =
        compile(
            "org/slf4j/LoggerFactory.java", FACTORY,
            "org/slf4j/Logger.java", LOGGER,
            "demo/Stock.java", STOCK);
    String end = ends(all, List.of()).get(0);
    assertTrue(end.contains("denied"), end);
  }
}
