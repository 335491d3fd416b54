package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests with Hibernate, Spring AOP, Mockito, EasyMock, ByteBuddy, JaCoCo, serialisation, Jackson
 * and Gson end the same way with the agent as without.
 */
class AgentBesideLibrariesTest {
  private static final Pattern SUITE =
      Pattern.compile("<testsuite [^>]*\\bname=\"([^\"]*)\"[^>]*>");

  private static final Pattern CALLS =
      Pattern.compile(" in \\d+ trace files?, (\\d+) class(?:es)? seen, (\\d+) calls");

  @TempDir Path temp;

  @Test
  void tests_that_use_proxies_and_reflection_pass_under_the_agent() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("agent-beside-libraries", temp);
    Build.maven("3.9.9", harness.folder, "test").succeeded();
    TreeMap<String, String> bare = results(harness.folder);
    Path reports = harness.folder.resolve("target/surefire-reports");
    Files.move(reports, reports.resolveSibling("bare-reports"));
    Build traced =
        Build.maven(
            "3.9.9",
            harness.folder,
            "palus:generate",
            "-Dpalus.classes=land.Office",
            "-Dpalus.budget=100");
    traced.succeeded();
    assertEquals(bare, results(harness.folder), traced.output);
    assertEquals(4, bare.size(), traced.output);
    for (String counts : bare.values()) {
      assertTrue(counts.matches("tests=\"[1-9].*failures=\"0\" errors=\"0\" "), counts);
    }
    // The same results prove nothing where the agent slept.
    Matcher calls = CALLS.matcher(traced.output);
    assertTrue(calls.find(), traced.output);
    assertTrue(Integer.parseInt(calls.group(1)) >= 4, traced.output);
    assertTrue(Integer.parseInt(calls.group(2)) >= 20, traced.output);
  }

  /** How many tests of each class ran, were skipped and failed. */
  private static TreeMap<String, String> results(Path project) throws IOException {
    TreeMap<String, String> results = new TreeMap<>();
    try (Stream<Path> files = Files.list(project.resolve("target/surefire-reports"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.toString().endsWith(".xml")) {
          Matcher suite = SUITE.matcher(Files.readString(file));
          assertTrue(suite.find(), file.toString());
          String head = suite.group();
          StringBuilder counts = new StringBuilder();
          for (String kind : new String[] {"tests", "skipped", "failures", "errors"}) {
            counts.append(head.replaceFirst("(?s).*\\b(" + kind + "=\"\\d+\").*", "$1 "));
          }
          results.put(suite.group(1), counts.toString());
        }
      }
    }
    return results;
  }
}
