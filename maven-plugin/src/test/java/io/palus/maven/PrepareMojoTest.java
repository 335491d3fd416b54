package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.host.PalusException;
import io.palus.host.TestReports;
import java.io.File;
import java.io.StringReader;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.DefaultArtifact;
import org.apache.maven.artifact.handler.ArtifactHandler;
import org.apache.maven.artifact.handler.DefaultArtifactHandler;
import org.apache.maven.execution.DefaultMavenExecutionRequest;
import org.apache.maven.execution.DefaultMavenExecutionResult;
import org.apache.maven.execution.MavenExecutionRequest;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Build;
import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.BuildPluginManager;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.descriptor.MojoDescriptor;
import org.apache.maven.plugin.descriptor.PluginDescriptor;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.ToolchainManager;
import org.codehaus.plexus.configuration.DefaultPlexusConfiguration;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.codehaus.plexus.util.xml.Xpp3DomBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pom that says {@code <argLine>@{argLine} ..</argLine>}, and no such property. */
class PrepareMojoTest {
  private static final String LITERAL = "@{argLine} -Xmx256m";

  @TempDir private Path folder;

  private final MavenProject project = new MavenProject();
  private final PrepareMojo mojo = new PrepareMojo();
  private final Properties ofUser = new Properties();

  /** Of a machine that has none. */
  private final ToolchainManager toolchains =
      (ToolchainManager)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {ToolchainManager.class},
              (proxy, method, arguments) -> null);

  @BeforeEach
  void project() throws Exception {
    Build build = new Build();
    build.setDirectory(folder.resolve("target").toString());
    build.setOutputDirectory(folder.resolve("target/classes").toString());
    build.setTestOutputDirectory(folder.resolve("target/test-classes").toString());
    Files.createDirectories(folder.resolve("target/classes"));
    project.setBuild(build);
    project.setPackaging("jar");
    project.setFile(new File(folder.toFile(), "pom.xml"));
    set("skip", "false");
    set("testTask", "test");
    set("outputDirectory", folder.resolve("target/written").toFile());
    set("project", project);
    set("toolchains", toolchains);
  }

  @Test
  void what_the_command_line_says_is_a_part_of_the_test_jvm_but_what_is_for_plugins()
      throws Exception {
    ofUser.setProperty("test", "X");
    ofUser.setProperty("palus.seed", "7");
    ofUser.setProperty("acme.fast", "true");
    surefire("");
    Inputs inputs = new Inputs(project, mojo.session(), mojo.testRun());
    assertEquals(List.of("-Dacme.fast=true"), inputs.commandLineProperties());
    List<String> all = inputs.testRun(toolchains);
    assertEquals(List.of("-Xmx256m", "-Dacme.fast=true"), all.subList(0, 2));
    assertTrue(all.get(2).startsWith("JDK " + System.getProperty("java.home")), all.get(2));
  }

  @Test
  void properties_of_a_file_and_the_number_of_the_fork_are_as_surefire_makes_them()
      throws Exception {
    Files.writeString(folder.resolve("test.properties"), "mode=fast\nschema=test");
    surefire(
        "<systemPropertiesFile>test.properties</systemPropertiesFile>"
            + "<systemPropertyVariables><schema>test_${surefire.forkNumber}</schema>"
            + "</systemPropertyVariables><excludes><exclude>**/Slow*</exclude></excludes>");
    Inputs inputs = new Inputs(project, mojo.session(), mojo.testRun());
    List<String> all = inputs.testRun(toolchains);
    assertEquals(
        List.of("-Xmx256m", "-Dmode=fast", "-Dschema=test", "-Dschema=test_1"), all.subList(0, 4));
    assertEquals("excludes=**/Slow* ", all.get(all.size() - 1));
  }

  @Test
  void where_palus_is_skipped_the_property_that_a_pom_names_is_there() throws Exception {
    set("skip", "true");
    mojo.execute();
    assertEquals("", project.getProperties().getProperty("argLine"));
  }

  @Test
  void where_one_test_is_run_it_is_there_too() throws Exception {
    ofUser.setProperty("test", "X");
    surefire("");
    mojo.execute();
    assertEquals("", project.getProperties().getProperty("argLine"));
  }

  @Test
  void where_no_test_is_run_it_is_there_too() throws Exception {
    surefire("<skipTests>true</skipTests>");
    mojo.execute();
    assertEquals("", project.getProperties().getProperty("argLine"));
  }

  @Test
  void where_nothing_has_changed_it_is_there_too() throws Exception {
    surefire("");
    TestRun tests = mojo.testRun();
    Inputs inputs = new Inputs(project, mojo.session(), tests);
    Layout layout = new Layout(project);
    TraceRecord record = new TraceRecord(layout);
    String digest = TraceRecord.digest(layout, inputs.classPath(), inputs.testRun(toolchains));
    record.begin(digest);
    Files.createFile(layout.traces().resolve("1.trace"));
    record.complete(TestReports.since(0, folder.resolve("none")), false);
    record.generated();
    mojo.execute();
    assertNull(project.getProperties().getProperty(Agents.ADDED));
    assertEquals("", project.getProperties().getProperty("argLine"));
  }

  @Test
  void what_is_added_for_tracing_is_no_argument_of_the_users() throws Exception {
    surefire("");
    new Agents(project, new Layout(project)).attach("-Xss2048k \"-javaagent:a b.jar\"");
    assertEquals(List.of("-Xmx256m"), mojo.testRun().jvmArguments(mojo.session()));
  }

  @Test
  void tests_are_verified_without_assertions_and_dependencies_where_the_pom_says_so()
      throws Exception {
    String excludes = "<classpathDependencyExcludes><exclude>org.acme:old*</exclude>";
    surefire(
        "<enableAssertions>false</enableAssertions>"
            + excludes
            + "</classpathDependencyExcludes>"
            + "<classpathDependencyScopeExclude>runtime</classpathDependencyScopeExclude>");
    TestRun tests = mojo.testRun();
    assertEquals(List.of("-Xmx256m", "-da"), tests.jvmArguments(mojo.session()));
    Set<Artifact> artifacts = new LinkedHashSet<>();
    artifacts.add(artifact("old-api", "test"));
    artifacts.add(artifact("plain", "test"));
    artifacts.add(artifact("driver", "runtime"));
    project.setArtifacts(artifacts);
    List<String> path = tests.classPath();
    assertEquals(List.of(path.get(0), path.get(1), jar("plain")), path);
  }

  private Artifact artifact(String name, String scope) {
    ArtifactHandler handler = new DefaultArtifactHandler("jar");
    ((DefaultArtifactHandler) handler).setAddedToClasspath(true);
    Artifact artifact = new DefaultArtifact("org.acme", name, "1", scope, "jar", null, handler);
    artifact.setFile(new File(jar(name)));
    return artifact;
  }

  private String jar(String name) {
    return folder.resolve(name + ".jar").toString();
  }

  @Test
  void a_class_path_that_only_surefire_makes_is_refused_and_the_users_tests_run() throws Exception {
    surefire(
        "<additionalClasspathDependencies><additionalClasspathDependency>"
            + "<artifactId>x</artifactId></additionalClasspathDependency>"
            + "</additionalClasspathDependencies>");
    PalusException refused = assertThrows(PalusException.class, mojo.testRun()::classPath);
    assertTrue(refused.getMessage().contains("additionalClasspathDependencies"));
  }

  @Test
  void tests_with_jmockit_are_not_traced_in_a_build_of_the_users() throws Exception {
    surefire("");
    project.setArtifacts(Set.of(artifact("jmockit-1.49", "test")));
    PalusException refused = assertThrows(PalusException.class, mojo.testRun()::checkTraceable);
    assertTrue(refused.getMessage().contains("JMockit"));
  }

  @Test
  void the_traced_tests_have_four_times_the_stack_that_the_pom_says() throws Exception {
    surefire(
        "<environmentVariables><JAVA_TOOL_OPTIONS>-Xss3m</JAVA_TOOL_OPTIONS>"
            + "</environmentVariables>");
    Map<String, String> variables = mojo.testRun().environment();
    Agents agents = new Agents(project, new Layout(project));
    List<String> arguments = mojo.testRun().jvmArguments(mojo.session());
    assertTrue(agents.arguments(true, arguments, variables).startsWith("-Xss12288k -javaagent:"));
    List<String> own = List.of("-Xss512k");
    assertTrue(agents.arguments(true, own, variables).startsWith("-Xss2048k -javaagent:"));
  }

  @Test
  void coverage_is_measured_of_the_projects_classes_once_they_are_compiled() throws Exception {
    surefire("");
    Layout layout = new Layout(project);
    Files.createDirectories(layout.classes().resolve("city/map"));
    Files.createFile(layout.classes().resolve("city/map/Road.class"));
    Files.createFile(layout.classes().resolve("Start$Stop.class"));
    Agents agents = new Agents(project, layout);
    agents.attach(agents.arguments(false, List.of(), Map.of()));
    String line = project.getProperties().getProperty("argLine");
    assertTrue(line.endsWith("inclnolocationclasses=false"), line);
    agents.coverOnlyClasses("argLine", Agents.ADDED, "palus.none");
    line = project.getProperties().getProperty("argLine");
    assertTrue(line.endsWith("=false,includes=Start:Start?*:city.map.*"), line);
    assertEquals(agents.arguments(true, List.of(), Map.of()), agents.added());
    agents.remove();
    assertEquals("", project.getProperties().getProperty("argLine"));
  }

  /** A build that compiles after this goal would lose coverage of packages that are new in it. */
  @Test
  void classes_are_chosen_where_all_are_compiled_for_sure() throws Exception {
    surefire("");
    for (String name : List.of("classes/old/A.class", "test-classes/old/ATest.class")) {
      Path file = folder.resolve("target").resolve(name);
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }
    for (String phase : Arrays.asList(null, "initialize", "before:compile", "test-compile")) {
      MojoExecution execution = new MojoExecution(new MojoDescriptor());
      execution.setLifecyclePhase(phase);
      set("execution", execution);
      mojo.execute();
      String line = project.getProperties().getProperty("argLine");
      assertTrue(line.contains("inclnolocationclasses=false"), line);
      boolean isChosen = line.contains("includes=old.*");
      assertEquals("test-compile".equals(phase), isChosen, phase + ": " + line);
    }
  }

  @Test
  void where_tests_cannot_be_traced_they_run_as_they_are() throws Exception {
    surefire("");
    List<String> said = warnings();
    Path work = folder.resolve("target/palus");
    Files.createSymbolicLink(work, Files.createDirectory(folder.resolve("elsewhere")));
    assertRunsUntraced();
    assertTrue(said.get(0).contains("the link " + work + " leads elsewhere. Delete"), said.get(0));
    Files.delete(work);
    Files.createFile(work);
    assertRunsUntraced();
    assertTrue(said.get(1).contains("cannot write to " + work), said.get(1));
    assertTrue(said.get(1).contains("ake the folder writable"), said.get(1));
    assertEquals(2, said.size(), said.toString());
    // Who asks for this very goal hears it as an error.
    set("execution", new MojoExecution(new MojoDescriptor(), "x", MojoExecution.Source.CLI));
    assertThrows(MojoFailureException.class, mojo::execute);
  }

  /** Nor does a goal of the same build write tests or run them. */
  private void assertRunsUntraced() throws Exception {
    project.getProperties().remove(LeftAlone.PROPERTY);
    mojo.execute();
    assertEquals("", project.getProperties().getProperty("argLine"));
    assertNull(project.getProperties().getProperty(PrepareMojo.CHANGED));
    assertTrue(LeftAlone.is(mojo));
  }

  private List<String> warnings() {
    List<String> said = new ArrayList<>();
    mojo.setLog(
        new SystemStreamLog() {
          @Override
          public void warn(CharSequence text) {
            said.add(text.toString());
          }
        });
    return said;
  }

  @Test
  void what_the_property_says_stays() throws Exception {
    set("skip", "true");
    project.getProperties().setProperty("argLine", "-ea");
    mojo.execute();
    assertEquals("-ea", project.getProperties().getProperty("argLine"));
  }

  /** A Surefire whose only parameters are those that count here. */
  private void surefire(String configuration) throws Exception {
    Plugin surefire = new Plugin();
    surefire.setArtifactId("maven-surefire-plugin");
    surefire.setVersion("3.2.5");
    Xpp3Dom dom =
        Xpp3DomBuilder.build(
            new StringReader(
                "<configuration><argLine>"
                    + LITERAL
                    + "</argLine>"
                    + configuration
                    + "</configuration>"));
    surefire.setConfiguration(dom);
    project.getBuild().addPlugin(surefire);
    MojoDescriptor test = new MojoDescriptor();
    PluginDescriptor plugin = new PluginDescriptor();
    test.setPluginDescriptor(plugin);
    test.setGoal("test");
    test.setMojoConfiguration(new DefaultPlexusConfiguration("configuration"));
    BuildPluginManager plugins =
        (BuildPluginManager)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {BuildPluginManager.class},
                (proxy, method, arguments) -> test);
    set("plugins", plugins);
    MavenExecutionRequest request = new DefaultMavenExecutionRequest();
    request.setUserProperties(ofUser);
    @SuppressWarnings("deprecation")
    MavenSession session = new MavenSession(null, null, request, new DefaultMavenExecutionResult());
    session.setProjects(List.of(project));
    session.setCurrentProject(project);
    set("session", session);
  }

  private void set(String name, Object value) throws ReflectiveOperationException {
    Field field = PalusMojo.class.getDeclaredField(name);
    field.setAccessible(true);
    field.set(mojo, value);
  }
}
