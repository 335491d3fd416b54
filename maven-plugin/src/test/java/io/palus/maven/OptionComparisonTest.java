package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.gradle.PalusDiff;
import io.palus.gradle.PalusExplain;
import io.palus.gradle.PalusExtension;
import io.palus.host.Defaults;
import io.palus.host.OptionNames;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.gradle.api.tasks.options.Option;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * What a user may set is the same in both plugins, but for {@code automatic} and {@code
 * cacheTraces}.
 */
class OptionComparisonTest {
  @Test
  void both_plugins_have_the_same_options_but_for_those_of_gradle_alone() throws Exception {
    Set<String> gradle = new TreeSet<>();
    for (Method method : PalusExtension.class.getMethods()) {
      boolean option = method.getDeclaringClass() == PalusExtension.class;
      if (option && method.getName().startsWith("get") && method.getParameterCount() == 0) {
        String name = method.getName().substring(3);
        gradle.add(Character.toLowerCase(name.charAt(0)) + name.substring(1));
      }
    }
    Set<String> maven = mavenDefaults("generate").keySet();
    for (String name : OptionNames.SHARED) {
      assertTrue(
          maven.contains(name),
          () ->
              "PalusMojo has no `@Parameter(property = \"palus."
                  + name
                  + "\") private String "
                  + name
                  + ";`");
    }
    assertEquals(OptionNames.SHARED, maven);
    Set<String> gradleOnly = new TreeSet<>(gradle);
    gradleOnly.removeAll(maven);
    assertEquals(OptionNames.GRADLE_ALONE, gradleOnly);
    gradle.removeAll(gradleOnly);
    assertEquals(maven, gradle);
  }

  @Test
  void every_goal_has_every_option() throws Exception {
    for (String goal : Set.of("generate", "generate-no-fork", "test", "check-settings")) {
      assertEquals(OptionNames.SHARED, mavenDefaults(goal).keySet(), goal);
    }
    // It looks for the revision of `diff`, before tests are traced.
    Set<String> prepare = new TreeSet<>(OptionNames.SHARED);
    prepare.add(OptionNames.SINCE);
    assertEquals(prepare, mavenDefaults("prepare").keySet());
  }

  @Test
  void what_is_explained_is_named_alike_and_asked_of_that_goal_and_task_alone() throws Exception {
    Set<String> options = new TreeSet<>(mavenDefaults("explain").keySet());
    options.removeAll(OptionNames.SHARED);
    assertEquals(Set.of(OptionNames.METHOD), options);
    Option option =
        PalusExplain.class.getMethod("methodNamed", String.class).getAnnotation(Option.class);
    assertEquals(OptionNames.METHOD, option.option());
  }

  @Test
  void what_is_compared_with_is_named_alike_and_asked_of_that_goal_and_task_alone()
      throws Exception {
    Set<String> options = new TreeSet<>(mavenDefaults("diff").keySet());
    options.removeAll(OptionNames.SHARED);
    assertEquals(Set.of(OptionNames.SINCE), options);
    Option option = PalusDiff.class.getMethod("since", String.class).getAnnotation(Option.class);
    assertEquals(OptionNames.SINCE, option.option());
  }

  @Test
  void what_the_engine_reads_has_its_default_there_alone() throws Exception {
    Map<String, String> expected = new TreeMap<>();
    OptionNames.SHARED.forEach(name -> expected.put(name, ""));
    expected.put(OptionNames.SKIP, Boolean.toString(Defaults.SKIP));
    expected.put(OptionNames.TEST_TASK, Defaults.TEST_TASK);
    // The places that differ by the build tools' own customs.
    expected.put(OptionNames.FINDINGS_DIRECTORY, "${project.build.directory}/palus/findings");
    expected.put(
        OptionNames.OUTPUT_DIRECTORY, "${project.build.directory}/generated-test-sources/palus");
    assertEquals(expected, mavenDefaults("generate"));
  }

  /**
   * The options of a goal, from the descriptor that Maven reads: those set by {@code palus.<name>}.
   */
  private static Map<String, String> mavenDefaults(String goal) throws Exception {
    try (InputStream in =
        OptionComparisonTest.class.getResourceAsStream("/META-INF/maven/plugin.xml")) {
      assertNotNull(in, "the plugin's descriptor");
      Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
      XPath path = XPathFactory.newInstance().newXPath();
      NodeList elements =
          (NodeList)
              path.evaluate(
                  "/plugin/mojos/mojo[goal='" + goal + "']/configuration/*",
                  document,
                  XPathConstants.NODESET);
      Map<String, String> options = new TreeMap<>();
      for (int i = 0; i < elements.getLength(); i++) {
        Element element = (Element) elements.item(i);
        if (element.getTextContent().equals("${palus." + element.getTagName() + "}")) {
          options.put(element.getTagName(), element.getAttribute("default-value"));
        }
      }
      return options;
    }
  }
}
