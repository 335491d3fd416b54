package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SurefireNamesTest {
  private static final String NAME = "com/acme/AccountPalusTest.java";

  @Test
  void without_includes_a_written_test_runs() {
    assertTrue(new SurefireNames(List.of(), List.of()).runs(NAME));
  }

  @Test
  void the_usual_patterns_match() {
    for (String include :
        List.of(
            "**/*Test.java", "**/*Test.class", "**/*Test", "*Test", "com/acme/*", "**/*.java")) {
      assertTrue(new SurefireNames(List.of(include), List.of()).runs(NAME), include);
    }
    assertTrue(new SurefireNames(List.of("%regex[.*PalusTest.*]"), List.of()).runs(NAME));
  }

  @Test
  void a_name_that_is_not_included_or_is_excluded_is_noticed() {
    for (String include : List.of("**/*TestCase.java", "**/AllTests.java", "com/*Test.java")) {
      assertFalse(new SurefireNames(List.of(include), List.of()).runs(NAME), include);
    }
    assertFalse(new SurefireNames(List.of(), List.of("**/Account*")).runs(NAME));
  }
}
