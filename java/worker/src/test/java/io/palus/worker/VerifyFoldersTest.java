package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Written tests to which JUnit gives a temporary folder. */
class VerifyFoldersTest {
  private static final String[] SOURCES = {
    "org/junit/jupiter/api/io/TempDir.java",
    """
    package org.junit.jupiter.api.io;
    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    public @interface TempDir {}
    """,
    "org/junit/Rule.java",
    """
    package org.junit;
    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    public @interface Rule {}
    """,
    "org/junit/rules/TemporaryFolder.java",
    """
    package org.junit.rules;
    public class TemporaryFolder {
      private java.io.File folder;
      public java.io.File getRoot() { return folder; }
    }
    """,
    "demo/FoldersPalusTest.java",
    """
    package demo;
    import java.io.File;
    import java.nio.file.*;
    import org.junit.Rule;
    import org.junit.jupiter.api.io.TempDir;
    import org.junit.rules.TemporaryFolder;
    class FoldersPalusTest {
      @TempDir Path folder;
      @Rule public TemporaryFolder rule = new TemporaryFolder();
      static Path before;
      void works() throws Exception {
        work(folder);
        work(rule.getRoot().toPath());
        if (folder.equals(rule.getRoot().toPath())) throw new AssertionError("one for both");
        before = folder;
      }
      private static void work(Path folder) throws Exception {
        if (folder.toFile().list().length > 0) throw new AssertionError("not empty");
        Files.createDirectory(folder.resolve("in"));
        Files.write(folder.resolve("in").resolve("a.txt"), new byte[] {1});
        Files.delete(Files.createFile(folder.resolve("b.txt")));
      }
      void isNew() {
        if (before.equals(folder)) throw new AssertionError("the same");
      }
      void fails() throws Exception {
        Files.write(folder.resolve("a.txt"), new byte[] {1});
        throw new AssertionError();
      }
      void leaves() throws Exception { Files.write(folder.resolve("../a.txt"), new byte[] {1}); }
      void returns() throws Exception { Files.write(before.resolveSibling("a.txt"), new byte[0]); }
    }
    """
  };

  @TempDir Path folder;

  @Test
  void a_test_has_a_new_folder_of_its_own_and_nothing_is_left_of_it() throws Exception {
    String made = "Files.write on a file that it did not make";
    assertEquals(
        List.of(
            "pass 0",
            "pass 1",
            "fail 2 java.lang.AssertionError",
            "deny 3 it is denied " + made,
            "deny 4 it is denied " + made,
            "done"),
        verdicts("works", "isNew", "fails", "leaves", "returns"));
    try (Stream<Path> left = Files.list(folder.resolve("temporary"))) {
      assertEquals(List.of(), left.toList());
    }
  }

  private List<String> verdicts(String... tests) throws Exception {
    Path classes = Sources.compile(folder, 8, SOURCES);
    List<String> lines =
        List.of(tests).stream().map(test -> "demo.FoldersPalusTest\t" + test).toList();
    Path list = Files.write(folder.resolve("list"), lines);
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    String jar = System.getProperty("palus.workerJar", System.getProperty("java.class.path"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-javaagent:" + System.getProperty("palus.workerJar") + "=--guard",
                "-cp",
                classes + File.pathSeparator + jar,
                "io.palus.worker.verify.VerifyMain",
                list.toString(),
                "--limit",
                "10000")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said.lines().filter(line -> !line.startsWith("start")).toList();
  }
}
