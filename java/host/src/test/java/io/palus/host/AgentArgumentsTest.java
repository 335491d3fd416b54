package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentArgumentsTest {
  @Test
  void agents_that_change_code_stay_with_the_path_that_they_have_for_the_tests() {
    List<String> arguments =
        List.of(
            "-Xmx1g",
            "-javaagent:lib/weaver.jar=a=b",
            "-javaagent:/opt/../opt/mock.jar",
            "-javaagent:/m2/org.jacoco.agent-0.8.14-runtime.jar=destfile=x",
            "-javaagent:/cache/kover-jvm-agent-0.8.3.jar=file:/p/kover.args",
            "-javaagent:/opt/monitor.jar=mode=dev|licenseKey=hunter22",
            "-javaagent:/cache/palus-worker.jar=options",
            "-agentpath:/opt/libprofiler.so",
            "-agentlib:jdwp=transport=dt_socket");
    assertEquals(
        List.of("-Xmx1g", "-javaagent:/p/lib/weaver.jar=a=b", "-javaagent:/opt/mock.jar"),
        AgentArguments.kept(arguments, Path.of("/p")));
  }

  @Test
  void an_agent_that_puts_classes_before_the_class_path_stays_out(@TempDir Path folder)
      throws IOException {
    Path plain = jar(folder.resolve("plain.jar"), Map.of("Premain-Class", "a.B"));
    Path boot =
        jar(folder.resolve("boot.jar"), Map.of("Premain-Class", "a.B", "Boot-Class-Path", "c.jar"));
    assertEquals(
        List.of("-javaagent:" + plain),
        AgentArguments.kept(List.of("-javaagent:" + plain, "-javaagent:" + boot), folder));
  }

  private static Path jar(Path file, Map<String, String> attributes) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.forEach(manifest.getMainAttributes()::putValue);
    try (OutputStream out = Files.newOutputStream(file)) {
      new JarOutputStream(out, manifest).close();
    }
    return file;
  }
}
