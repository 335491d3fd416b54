package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SettingsTest {
  @Test
  void what_is_not_set_is_left_to_the_engine() {
    Settings settings =
        Settings.builder().set("seed", null).setAll("classes", null).set("budget", 5).build();
    assertArrayEquals(new String[] {"budget", "5"}, settings.toPairs());
  }

  @Test
  void a_list_is_its_name_repeated_in_order() {
    Settings settings = Settings.builder().setAll("classes", Arrays.asList("b", "a")).build();
    assertEquals(List.of("b", "a"), settings.values("classes"));
  }

  @Test
  void an_empty_list_of_the_users_is_one_empty_value_and_none_is_none() {
    Settings settings =
        Settings.builder()
            .setGiven("classes", List.of())
            .setGiven("excludes", null)
            .setGiven("more", List.of("a", "b"))
            .build();
    assertArrayEquals(new String[] {"classes", "", "more", "a", "more", "b"}, settings.toPairs());
  }

  @Test
  void logs_show_the_names_of_properties_and_no_value() {
    Settings settings =
        Settings.builder()
            .set("jvmArgument", "-Ddb.password=hunter22")
            .set("jvmArgument", "-Xmx1g")
            .set(Settings.BUILD_PROPERTY, "nexus.password=hunter22")
            .build();
    String expected =
        "jvmArgument=-Ddb.password=***\njvmArgument=-Xmx1g\nbuildProperty=-Dnexus.password=***\n";
    assertEquals(expected, settings.toString());
  }

  @Test
  void a_secret_is_tracked_by_its_name_alone() {
    assertEquals(
        List.of("-DDB_PassWord", "-Dmode=test", "-Xmx1g"),
        SecretNames.withoutSecrets(List.of("-DDB_PassWord=hunter22", "-Dmode=test", "-Xmx1g")));
  }

  @Test
  void a_property_that_hands_on_a_secret_of_the_build_is_known_whatever_its_name() {
    Map<String, String> secrets =
        SecretNames.among(
            Map.of("nexus.password", "hunter22", "sonar.projectKey", "acme", "a.token", "unused"));
    List<String> arguments = List.of("-Dupstream=u:hunter22@x", "-Dmode=acme", "-Dlab=x", "-Xmx1g");
    assertEquals(List.of("nexus.password=hunter22"), SecretNames.pairs(secrets, arguments));
    Map<String, int[]> places = SecretNames.handedOn(secrets, arguments);
    assertEquals(Set.of("upstream"), places.keySet());
    assertArrayEquals(new int[] {2, 10}, places.get("upstream"));
  }

  @Test
  void settings_do_not_change_when_their_builder_does() {
    Settings.Builder builder = Settings.builder().set("a", 1);
    Settings settings = builder.build();
    builder.set("b", 2);
    assertArrayEquals(new String[] {"a", "1"}, settings.toPairs());
  }
}
