package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SettingNamesTest {
  @Test
  void a_name_that_misses_an_options_by_a_letter_or_two_is_refused_with_that_option() {
    assertRefused("palus.budgett", "palus.budget");
    assertRefused("palus.timelimit", "palus.timeLimit");
    assertRefused("palus.clases", "palus.classes");
    assertRefused("palus.ktial", "palus.kTail");
  }

  @Test
  void other_unknown_names_are_told_with_the_nearest_and_pass() {
    List<String> said = said("palus.outputFolder");
    assertEquals(1, said.size());
    assertTrue(said.get(0).contains("no setting `palus.outputFolder`"), said.get(0));
    assertTrue(said.get(0).contains("`palus.outputDirectory`"), said.get(0));
  }

  @Test
  void elements_are_told_as_they_are_written_in_a_pom() {
    PalusException refused =
        assertThrows(
            PalusException.class,
            () -> SettingNames.checkElements(Set.of("budgett"), OptionNames.SHARED, null));
    assertTrue(refused.userMessage().contains("no setting `<budgett>`"), refused.userMessage());
    assertTrue(refused.userMessage().contains("mean `<budget>`?"), refused.userMessage());
    SettingNames.checkElements(OptionNames.SHARED, OptionNames.SHARED, null);
  }

  @Test
  void options_and_properties_of_others_are_fine() {
    assertEquals(List.of(), said("palus.seed", "palus.version", "palusx.seeed", "maven.test.skip"));
  }

  private static void assertRefused(String property, String meant) {
    PalusException refused = assertThrows(PalusException.class, () -> said(property));
    assertEquals(PalusException.Kind.CONFIGURATION, refused.kind());
    assertTrue(refused.userMessage().contains("`" + property + "`"), refused.userMessage());
    assertTrue(refused.userMessage().contains("`" + meant + "`"), refused.userMessage());
  }

  private static List<String> said(String... properties) {
    List<String> said = new ArrayList<>();
    Console console =
        new Console() {
          @Override
          public void line(int level, String text) {
            said.add(text);
          }

          @Override
          public void progress(int done, int all, String text) {}
        };
    SettingNames.checkProperties(List.of(properties), OptionNames.SHARED, console);
    return said;
  }
}
