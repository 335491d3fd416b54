package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Tests with Hibernate, Spring AOP, Mockito, EasyMock, ByteBuddy, JaCoCo, serialisation, Jackson
 * and Gson end the same way with the agent as without, method by method: on the JDK of the build
 * and the newest beside it, or on the one of {@code palus.otherJdk}, which needs no compiler.
 */
class AgentBesideLibrariesTest {
  private static final List<String> ENDS = List.of("failure", "error", "skipped");

  @TempDir Path temp;

  static List<Path> runtimes() throws IOException {
    String other = System.getProperty("palus.otherJdk");
    if (other != null) {
      return List.of(Path.of(other));
    }
    Path own = Path.of(System.getProperty("java.home"));
    List<Path> homes = new ArrayList<>(List.of(own));
    try (Stream<Path> siblings = Files.list(own.toAbsolutePath().getParent())) {
      siblings
          .filter(home -> featureOf(home) > Runtime.version().feature())
          .max(Comparator.comparing(AgentBesideLibrariesTest::featureOf))
          .ifPresent(homes::add);
    }
    return homes;
  }

  private static int featureOf(Path home) {
    Path release = home.resolve("release");
    if (!Files.isExecutable(home.resolve("bin/java")) || !Files.exists(release)) {
      return 0;
    }
    try {
      String version =
          Files.readString(release).replaceFirst("(?s).*JAVA_VERSION=\"(\\d+)[^\"]*\".*", "$1");
      return version.matches("\\d+") ? Integer.parseInt(version) : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  @ParameterizedTest
  @MethodSource("runtimes")
  void each_test_that_uses_proxies_and_reflection_ends_the_same_under_the_agent(Path runtime)
      throws Exception {
    Path project = ProjectHarness.copy("agent-beside-libraries", temp).folder;
    String jvm = "-Djvm=" + runtime.resolve("bin").resolve("java");
    Build.maven("3.9.9", project, "test", jvm).succeeded();
    TreeMap<String, String> bare = results(project);
    Path reports = project.resolve("target/surefire-reports");
    Files.move(reports, reports.resolveSibling("bare-reports"));
    Build traced = Build.maven("3.9.9", project, "palus:prepare", "test", jvm).succeeded();
    assertEquals(bare, results(project), traced.output);
    assertEquals(19, bare.size(), bare.toString());
    bare.forEach((test, end) -> assertEquals("passed", end, test));
    // The same results prove nothing where the agent slept.
    String trace = "";
    String log = "";
    try (Stream<Path> files = Files.list(project.resolve("target/palus/trace"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        if (file.toString().endsWith(".trace")) {
          trace += text;
        } else {
          log += text;
        }
      }
    }
    assertEquals("", log);
    for (String type : List.of("Country", "Town", "Places", "Parcel", "Office", "FixedToll")) {
      assertTrue(trace.contains("land/" + type), type);
    }
    for (String test : List.of("HibernateTest", "MocksTest", "ReflectionTest", "SpringTest")) {
      assertTrue(trace.contains("land/" + test), test);
    }
  }

  /** How each test method ended: "passed", or what it was instead and by which exception. */
  private static TreeMap<String, String> results(Path project) throws Exception {
    TreeMap<String, String> results = new TreeMap<>();
    try (Stream<Path> files = Files.list(project.resolve("target/surefire-reports"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.toString().endsWith(".xml")) {
          NodeList tests =
              DocumentBuilderFactory.newInstance()
                  .newDocumentBuilder()
                  .parse(file.toFile())
                  .getElementsByTagName("testcase");
          for (int i = 0; i < tests.getLength(); i++) {
            Element test = (Element) tests.item(i);
            String name = test.getAttribute("classname") + "." + test.getAttribute("name");
            assertEquals(null, results.put(name, endOf(test)), name);
          }
        }
      }
    }
    return results;
  }

  private static String endOf(Element test) {
    for (Node node = test.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (ENDS.contains(node.getNodeName())) {
        return node.getNodeName() + " " + ((Element) node).getAttribute("type");
      }
    }
    return "passed";
  }
}
