package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.palus.host.PalusException;
import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.DefaultArtifact;
import org.apache.maven.artifact.handler.DefaultArtifactHandler;
import org.apache.maven.execution.DefaultMavenExecutionRequest;
import org.apache.maven.execution.DefaultMavenExecutionResult;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Build;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.ToolchainManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A module whose last class went to another one, and whose written tests are still there. */
class WithoutClassesTest {
  @TempDir private Path folder;

  private final MavenProject project = new MavenProject();
  private final PalusMojo mojo =
      new PalusMojo() {
        @Override
        void run() {}
      };
  private Path written;

  @BeforeEach
  void project() throws Exception {
    Build build = new Build();
    build.setDirectory(folder.resolve("target").toString());
    build.setOutputDirectory(folder.resolve("target/classes").toString());
    build.setTestOutputDirectory(folder.resolve("target/test-classes").toString());
    project.setBuild(build);
    project.setPackaging("jar");
    project.setFile(new File(folder.toFile(), "pom.xml"));
    project.setArtifacts(Set.of(jar()));
    written = Files.createDirectories(folder.resolve("target/written"));
    set("project", project);
    set("testTask", "test");
    set("outputDirectory", written.toFile());
    set("toolchains", proxy(ToolchainManager.class));
    @SuppressWarnings("deprecation")
    MavenSession session =
        new MavenSession(
            null, null, new DefaultMavenExecutionRequest(), new DefaultMavenExecutionResult());
    session.setProjects(List.of(project));
    session.setCurrentProject(project);
    set("session", session);
    mojo.setLog(new SystemStreamLog());
  }

  @Test
  void without_written_tests_there_is_nothing_to_look_at() {
    assertFalse(new Generation(mojo).findsChanges());
    new Generation(mojo).compare();
  }

  @Test
  void written_tests_are_looked_at_before_they_run() throws Exception {
    Files.writeString(
        written.resolve("APalusTest.java"),
        "class APalusTest {\n  @org.junit.jupiter.api.Test\n  void wipes() {\n"
            + "    new java.io.File(\"ledger\").delete();\n  }\n}\n");
    Generation generation = new Generation(mojo);
    PalusException denied = assertThrows(PalusException.class, generation::findsChanges);
    assertEquals(PalusException.Kind.BEHAVIOUR_CHANGE, denied.kind(), denied.getMessage());
    denied = assertThrows(PalusException.class, generation::compare);
    assertEquals(PalusException.Kind.BEHAVIOUR_CHANGE, denied.kind(), denied.getMessage());
  }

  private static Artifact jar() throws URISyntaxException {
    DefaultArtifactHandler handler = new DefaultArtifactHandler("jar");
    handler.setAddedToClasspath(true);
    Artifact jar =
        new DefaultArtifact("org.junit", "api", "1", Artifact.SCOPE_TEST, "jar", null, handler);
    jar.setFile(new File(Test.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
    return jar;
  }

  private static <T> T proxy(Class<T> type) {
    Object nothing =
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> null);
    return type.cast(nothing);
  }

  private void set(String name, Object value) throws ReflectiveOperationException {
    Field field = PalusMojo.class.getDeclaredField(name);
    field.setAccessible(true);
    field.set(mojo, value);
  }
}
