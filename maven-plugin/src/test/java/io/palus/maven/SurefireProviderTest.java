package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.host.PalusException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.DefaultArtifact;
import org.apache.maven.artifact.handler.DefaultArtifactHandler;
import org.apache.maven.model.Build;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Plugin;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.Test;

class SurefireProviderTest {
  private static final String TESTNG = "org.testng:testng";
  private static final String JUPITER = "org.junit.jupiter:junit-jupiter-api";
  private static final String VINTAGE = "org.junit.vintage:junit-vintage-engine";
  private static final String JUNIT4 = "junit:junit";

  private final Plugin surefire = new Plugin();

  @Test
  void what_is_left_out_follows_from_the_test_class_path() {
    assertEquals(Set.of("JUPITER", "TESTNG"), leftOut("3.2.5", JUNIT4));
    assertEquals(Set.of("TESTNG", "JUNIT4", "JUNIT3"), leftOut("3.2.5", JUPITER, JUNIT4));
    assertEquals(Set.of("TESTNG"), leftOut("3.2.5", JUPITER, JUNIT4, VINTAGE));
    assertEquals(Set.of("TESTNG", "JUNIT4", "JUNIT3"), leftOut("3.2.5", JUPITER, TESTNG));
  }

  @Test
  void an_old_surefire_knows_no_platform() {
    for (String version : new String[] {"2.4", "2.12.4", "2.21.0"}) {
      assertEquals(Set.of("JUPITER", "TESTNG"), leftOut(version, JUPITER));
      assertTrue(provider(version, JUPITER).notRun().get(0).contains(version + " knows no JUnit"));
    }
    assertEquals(Set.of("TESTNG", "JUNIT4", "JUNIT3"), leftOut("2.22.2", JUPITER));
  }

  @Test
  void testng_alone_is_refused_and_both_providers_by_name_are_not() {
    assertThrows(PalusException.class, () -> provider("3.2.5", TESTNG, JUNIT4).check());
    assertDoesNotThrow(() -> provider("3.2.5", TESTNG, JUPITER).check());
    name("surefire-testng");
    assertThrows(PalusException.class, () -> provider("3.2.5", TESTNG, JUPITER).check());
    name("surefire-junit-platform");
    assertDoesNotThrow(() -> provider("3.2.5", TESTNG, JUPITER).check());
    assertEquals(Set.of("JUNIT4", "JUNIT3"), leftOut("3.2.5", TESTNG, JUPITER));
  }

  private void name(String provider) {
    Dependency dependency = new Dependency();
    dependency.setGroupId("org.apache.maven.surefire");
    dependency.setArtifactId(provider);
    surefire.addDependency(dependency);
  }

  private Set<String> leftOut(String version, String... modules) {
    Set<String> kinds = new TreeSet<>();
    provider(version, modules).notRun().forEach(why -> kinds.add(why.split("=")[0]));
    return kinds;
  }

  private SurefireProvider provider(String version, String... modules) {
    surefire.setArtifactId("maven-surefire-plugin");
    MavenProject project = new MavenProject();
    project.setBuild(new Build());
    project.getBuild().addPlugin(surefire);
    Set<Artifact> artifacts = new LinkedHashSet<>();
    Arrays.stream(modules).map(SurefireProviderTest::artifact).forEach(artifacts::add);
    project.setArtifacts(artifacts);
    return new SurefireProvider(project, version);
  }

  private static Artifact artifact(String module) {
    String[] parts = module.split(":");
    return new DefaultArtifact(
        parts[0], parts[1], "1", "test", "jar", null, new DefaultArtifactHandler("jar"));
  }
}
