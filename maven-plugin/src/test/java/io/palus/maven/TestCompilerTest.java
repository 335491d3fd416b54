package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.host.PalusException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestCompilerTest {
  @TempDir private Path folder;
  private MavenProject project;
  private Path source;
  private Path output;

  @BeforeEach
  void project() throws IOException {
    project = new MavenProject();
    project.setFile(folder.resolve("pom.xml").toFile());
    source = Files.writeString(folder.resolve("A.java"), "class A {}");
    output = folder.resolve("target/palus/written-classes");
  }

  @Test
  void a_link_in_the_place_of_its_arguments_goes_and_what_it_leads_to_stays() throws IOException {
    Path precious = Files.writeString(folder.resolve("precious"), "the user's");
    Path arguments = output.resolveSibling("javac-arguments");
    Files.createDirectories(arguments.getParent());
    Files.createSymbolicLink(arguments, precious);
    assertEquals(Optional.empty(), compile(Path.of(System.getProperty("java.home"))));
    assertEquals("the user's", Files.readString(precious));
    assertFalse(Files.isSymbolicLink(arguments));
    assertTrue(Files.exists(output.resolve("A.class")));
  }

  @Test
  void what_a_compiler_says_without_end_is_kept_in_part() throws IOException {
    Optional<String> said = compile(javac("head -c 60000000 /dev/zero | tr '\\0' 'x'; exit 1"));
    assertTrue(said.orElseThrow().startsWith("xxx"));
    assertTrue(said.orElseThrow().length() <= 1 << 20);
  }

  @Test
  void a_compiler_that_does_not_end_is_ended_with_all_that_it_started() throws IOException {
    Path children = folder.resolve("children");
    Path jdk = javac("sleep 600 & echo $! > " + children + "; wait");
    PalusException hung =
        assertTimeoutPreemptively(
            Duration.ofMinutes(1),
            () -> assertThrows(PalusException.class, () -> compile(jdk, Duration.ofSeconds(3))));
    assertTrue(hung.getMessage().contains("javac did not end within 3 s"), hung.getMessage());
    Optional<ProcessHandle> child =
        ProcessHandle.of(Long.parseLong(Files.readString(children).trim()));
    child.ifPresent(process -> process.onExit().orTimeout(20, TimeUnit.SECONDS).join());
  }

  private Optional<String> compile(Path javaHome) {
    return compile(javaHome, Duration.ofMinutes(2));
  }

  private Optional<String> compile(Path javaHome, Duration limit) {
    EffectiveConfiguration none =
        new EffectiveConfiguration(
            null, null, project, TestCompiler.KEY, "default-testCompile", "testCompile");
    return new TestCompiler(project, none, limit)
        .compile(List.of(source), List.of(), output, javaHome);
  }

  /** A JDK whose compiler does this. */
  private Path javac(String script) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("jdk/bin"));
    Path javac = Files.writeString(bin.resolve("javac"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(javac, PosixFilePermissions.fromString("rwx------"));
    return folder.resolve("jdk");
  }
}
