package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    try (WorkerProcess worker = new WorkerProcess(folder)) {
      worker.libraries = List.of(jar);
      worker.setUp(folder.resolve("classes"), 100_000, 500, 60_000);
      worker.begin();
      List<String> ends = new ArrayList<>();
      for (String method : methods) {
        Consumer<SequenceBuilder> call =
            s -> s.callStatic("demo/User", method, "(I)I", s.constant(3));
        ends.add(worker.runAll(List.of(call)).get(0).end());
      }
      return ends;
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
