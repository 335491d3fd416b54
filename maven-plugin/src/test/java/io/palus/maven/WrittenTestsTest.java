package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
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
  void a_file_or_the_command_line_does_not_either() throws Exception {
    assertEquals("false", parameters("").getProperty(JUPITER));
    Xpp3Dom variables =
        WrittenTests.systemProperties(List.of(dom("<" + JUPITER + ">true</" + JUPITER + ">")));
    assertEquals(2, variables.getChildCount());
    assertEquals("false", variables.getChild(JUPITER).getValue());
    assertEquals("false", variables.getChild(VINTAGE).getValue());
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
