package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.codehaus.plexus.util.xml.Xpp3DomBuilder;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;
import org.junit.jupiter.api.Test;

/** What Surefire is told, read as it reads it. */
class WrittenTestsTest {
  private static final String JUPITER = "junit.jupiter.execution.parallel.enabled";
  private static final String VINTAGE = "junit.vintage.execution.parallel.enabled";

  @Test
  void a_pom_that_runs_its_tests_in_parallel_does_not_run_written_ones_so() throws Exception {
    String lines = JUPITER + " = true\njunit.jupiter.extensions.autodetection.enabled = true";
    for (String pom :
        List.of(
            "<configurationParameters>" + lines + "</configurationParameters>",
            "<configurationParameters>" + lines + "\\</configurationParameters>",
            "<property><name>configurationParameters</name><value>" + lines + "</value></property>",
            "<configurationParameters>"
                + JUPITER.replace("enabled", "\\u0065nabled")
                + ": \\\n true\njunit.jupiter.extensions.autodetection.enabled: true"
                + "</configurationParameters>")) {
      Properties parameters = parameters(pom);
      assertEquals("false", parameters.getProperty(JUPITER), pom);
      assertEquals("false", parameters.getProperty(VINTAGE), pom);
      String other = parameters.getProperty("junit.jupiter.extensions.autodetection.enabled");
      assertEquals("true", other, pom);
    }
  }

  @Test
  void its_system_properties_do_not_either() throws Exception {
    Xpp3Dom variables =
        WrittenTests.systemProperties(List.of(dom("<" + JUPITER + ">true</" + JUPITER + ">")));
    assertEquals(2, variables.getChildCount());
    assertEquals("false", variables.getChild(JUPITER).getValue());
    assertEquals("false", variables.getChild(VINTAGE).getValue());
  }

  @Test
  void the_projects_own_execution_data_stays_as_it_is() throws Exception {
    String agent = "-javaagent:/m2/org.jacoco.agent-runtime.jar=destfile=";
    MavenProject project = new MavenProject();
    project.getBuild().setDirectory("/p/target");
    project.getBuild().setOutputDirectory("/p/target/classes");
    project.getBuild().setTestOutputDirectory("/p/target/test-classes");
    project.getProperties().setProperty("argLine", agent + "/p/target/jacoco.exec");
    Layout layout = new Layout(project);
    MavenProject copy = project.clone();
    WrittenTests.adapt(copy, layout);
    String ours = agent + Path.of("/p/target/palus/written.exec");
    assertEquals(ours, copy.getProperties().getProperty("argLine"));
    String before = agent + "/p/target/jacoco.exec";
    assertEquals(before, project.getProperties().getProperty("argLine"));
    Xpp3Dom line = dom("<argLine>-ea " + agent + "/p/target/jacoco.exec</argLine>");
    assertEquals("-ea " + ours, WrittenTests.argLine(line, layout).getValue());
  }

  @Test
  void what_chooses_among_the_projects_own_tests_is_left_out() throws Exception {
    Xpp3Dom properties =
        properties(
            "<includeTags>fast</includeTags><parallel>methods</parallel><listener>a.B</listener>"
                + "<property><name>groups</name><value>slow</value></property>");
    assertNull(properties.getChild("includeTags"));
    assertNull(properties.getChild("parallel"));
    assertNull(properties.getChild("property"));
    assertEquals("a.B", properties.getChild("listener").getValue());
  }

  private static Properties parameters(String pom) throws Exception {
    Properties parameters = new Properties();
    String text = properties(pom).getChild("configurationParameters").getValue();
    parameters.load(new StringReader(text)); // As Surefire does.
    return parameters;
  }

  private static Xpp3Dom properties(String pom) throws Exception {
    Xpp3Dom set = dom("<properties>" + pom + "</properties>");
    return WrittenTests.providerProperties(Arrays.asList(set.getChildren()));
  }

  private static Xpp3Dom dom(String text) throws XmlPullParserException, IOException {
    return Xpp3DomBuilder.build(new StringReader(text));
  }
}
