package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.maven.execution.DefaultMavenExecutionRequest;
import org.apache.maven.execution.DefaultMavenExecutionResult;
import org.apache.maven.execution.MavenExecutionRequest;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Build;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What all goals do before they do anything of their own. */
class GoalsTest {
  @TempDir private Path folder;

  private final MavenProject project = new MavenProject();
  private final List<String> warnings = new ArrayList<>();
  private MavenSession session;

  @BeforeEach
  void project() {
    Build build = new Build();
    build.setDirectory(folder.resolve("target").toString());
    build.setOutputDirectory(folder.resolve("target/classes").toString());
    build.setTestOutputDirectory(folder.resolve("target/test-classes").toString());
    project.setBuild(build);
    project.setPackaging("jar");
    project.setFile(new File(folder.toFile(), "pom.xml"));
    session = session();
  }

  @Test
  void each_goal_refuses_a_wrong_setting_before_it_does_anything() throws Exception {
    Map<String, String> wrong =
        Map.of("accept", "yes", "failOnChange", "no", "budget", "many", "testTask", "x");
    for (PalusMojo mojo : goals()) {
      for (Map.Entry<String, String> each : wrong.entrySet()) {
        String before = set(mojo, each.getKey(), each.getValue());
        String said = assertThrows(MojoFailureException.class, mojo::execute).getMessage();
        String named = "`" + each.getKey() + "` has the value `" + each.getValue() + "`";
        assertTrue(said.contains(named), mojo.getClass() + ": " + said);
        set(mojo, each.getKey(), before);
      }
      session.getUserProperties().setProperty("palus.failOnChnage", "false");
      String said = assertThrows(MojoFailureException.class, mojo::execute).getMessage();
      assertTrue(said.contains("Did you mean `palus.failOnChange`?"), said);
      session.getUserProperties().clear();
      assertFalse(Files.exists(folder.resolve("target")), mojo.getClass().toString());
    }
  }

  @Test
  void what_is_no_setting_is_said_once_in_a_build() throws Exception {
    session.getUserProperties().setProperty("palus.somethingOfMine", "1");
    for (int i = 0; i < 2; i++) {
      goal(new CheckSettingsMojo()).execute();
    }
    assertEquals(1, warnings.size(), warnings.toString());
    session = session();
    session.getUserProperties().setProperty("palus.somethingOfMine", "1");
    goal(new CheckSettingsMojo()).execute();
    assertEquals(2, warnings.size(), warnings.toString());
  }

  @Test
  void without_a_native_library_the_goals_of_a_build_do_nothing_and_one_says_so() throws Exception {
    String architecture = System.setProperty("os.arch", "sparc");
    try {
      goal(new PrepareMojo()).execute();
      goal(new TestMojo()).execute();
      goal(new GenerateNoForkMojo()).execute();
    } finally {
      System.setProperty("os.arch", architecture);
    }
    assertEquals(1, warnings.size(), warnings.toString());
    assertTrue(warnings.get(0).contains("does nothing in this build"), warnings.get(0));
    assertTrue(warnings.get(0).contains("no native library for linux-sparc"), warnings.get(0));
    assertEquals("", project.getProperties().getProperty("argLine"));
    assertFalse(Files.exists(folder.resolve("target")));
  }

  @Test
  void what_runs_tests_after_those_of_a_build_is_not_traced() throws Exception {
    project.getProperties().setProperty("argLine", "-ea");
    new Agents(project, new Layout(project)).attach("-javaagent:palus-worker.jar");
    assertEquals("-ea -javaagent:palus-worker.jar", project.getProperties().get("argLine"));
    session.getUserProperties().setProperty("test", "OneOfThem");
    goal(new GenerateNoForkMojo()).execute();
    assertEquals("-ea", project.getProperties().get("argLine"));
  }

  private List<PalusMojo> goals() throws ReflectiveOperationException {
    List<PalusMojo> goals =
        List.of(
            new AcceptMojo(),
            new CheckMojo(),
            new CheckSettingsMojo(),
            new DiffMojo(),
            new ExplainMojo(),
            new GenerateMojo(),
            new GenerateNoForkMojo(),
            new PrepareMojo(),
            new PrepareTraceMojo(),
            new PromoteMojo(),
            new TestMojo());
    for (PalusMojo goal : goals) {
      goal(goal);
    }
    return goals;
  }

  private PalusMojo goal(PalusMojo mojo) throws ReflectiveOperationException {
    set(mojo, "skip", "false");
    set(mojo, "testTask", "test");
    set(mojo, "outputDirectory", folder.resolve("target/written").toFile());
    set(mojo, "project", project);
    set(mojo, "session", session);
    mojo.setLog(
        new SystemStreamLog() {
          @Override
          public void warn(CharSequence text) {
            warnings.add(text.toString());
          }
        });
    return mojo;
  }

  private MavenSession session() {
    MavenExecutionRequest request = new DefaultMavenExecutionRequest();
    @SuppressWarnings("deprecation")
    MavenSession session = new MavenSession(null, null, request, new DefaultMavenExecutionResult());
    session.setProjects(List.of(project));
    session.setCurrentProject(project);
    return session;
  }

  /** Answers what a text was before. */
  private static String set(PalusMojo mojo, String name, Object value)
      throws ReflectiveOperationException {
    Field field = PalusMojo.class.getDeclaredField(name);
    field.setAccessible(true);
    Object before = field.get(mojo);
    field.set(mojo, value);
    return before instanceof String ? (String) before : null;
  }
}
