package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.gradle.StartParameter;
import org.gradle.api.Project;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PalusDiffTest {
  @TempDir private File folder;

  @Test
  void the_other_build_gets_what_the_command_line_gave_but_no_secret_and_nothing_of_palus() {
    Project project = ProjectBuilder.builder().withProjectDir(folder).build();
    StartParameter given = project.getGradle().getStartParameter();
    given.setSystemPropertiesArgs(
        Map.of(
            "release", "17",
            "empty", "",
            "palus.since", "main",
            "org.gradle.project.palus.since", "main",
            "org.gradle.project.repository", "mirror",
            "org.gradle.project.uploadToken", "s3cret",
            "db.password", "s3cret"));
    given.setProjectProperties(Map.of("flavour", "a", "palus.since", "main", "apiKey", "s3cret"));
    project.getPluginManager().apply("java");
    project.getPluginManager().apply(PalusPlugin.class);
    EvaluatedProject.evaluate(project);
    List<String> command =
        ((PalusDiff) project.getTasks().getByName("palusDiff")).getGradleCommand().get();
    List<String> expected =
        List.of(
            "-Dempty=", "-Dorg.gradle.project.repository=mirror", "-Drelease=17", "-Pflavour=a");
    assertEquals(expected, command.subList(command.size() - expected.size(), command.size()));
    assertFalse(command.toString().contains("s3cret"), command.toString());
    assertFalse(command.toString().contains("palus.since"), command.toString());
    assertTrue(command.contains("--no-daemon"), command.toString());
  }

  @Test
  void the_other_build_is_told_to_build_what_the_module_runs_with() throws IOException {
    Path script = BaseScript.write(folder.toPath(), ":it's:classes", "runtimeClasspath");
    String text = Files.readString(script);
    assertTrue(text.contains("tasks.findByPath(':it\\'s:classes')"), text);
    assertTrue(text.contains("configurations?.findByName('runtimeClasspath')"), text);
  }

  @Test
  void a_configuration_cache_is_told_of_other_properties_and_not_of_secrets() {
    Properties properties = new Properties();
    properties.setProperty("release", "17");
    String before = GivenProperties.of(properties);
    properties.setProperty("db.password", "s3cret");
    assertEquals(before, GivenProperties.of(properties));
    properties.setProperty("release", "21");
    assertNotEquals(before, GivenProperties.of(properties));
  }
}
