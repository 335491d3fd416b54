package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class AgentsTest {
  private static final String FILE = "/p/target/palus/existing.exec";

  @Test
  void the_projects_jacoco_writes_to_our_file_and_nothing_else_changes() {
    assertEquals(
        "-Xmx1g -javaagent:/m2/org.jacoco.agent-runtime.jar=destfile="
            + FILE
            + ",append=true -Da=b",
        Agents.redirected(
            "-Xmx1g"
                + " -javaagent:/m2/org.jacoco.agent-runtime.jar=destfile=/p/target/jacoco.exec,append=true"
                + " -Da=b",
            FILE));
    assertEquals(
        "-javaagent:/m2/org.jacoco.agent-runtime.jar=excludes=x.*,destfile=" + FILE + " -Da=b",
        Agents.redirected(
            "-javaagent:/m2/org.jacoco.agent-runtime.jar=excludes=x.*,destfile=/p/target/jacoco.exec"
                + " -Da=b",
            FILE));
  }

  @Test
  void a_quoted_jacoco_argument_stays_quoted() {
    assertEquals(
        "\"-javaagent:/m 2/org.jacoco.agent-runtime.jar=destfile=" + FILE + "\" -Da=b",
        Agents.redirected(
            "\"-javaagent:/m 2/org.jacoco.agent-runtime.jar=destfile=/p q/jacoco.exec\" -Da=b",
            FILE));
  }

  @Test
  void a_comma_in_a_folder_ends_no_path() {
    String odd = "/p,q/a,=b/jacoco.exec";
    String jar = "-javaagent:/m2/org.jacoco.agent-runtime.jar=destfile=";
    assertEquals(
        jar + FILE + ",append=true -Da=b",
        Agents.redirected(jar + odd + ",append=true -Da=b", FILE));
    assertEquals(jar + odd, Agents.redirected(jar + "/p/j.exec", odd));
    assertEquals(
        '"' + jar + FILE + ",append=true\" -Da=b",
        Agents.redirected('"' + jar + "/p 1" + odd + ",append=true\" -Da=b", FILE));
  }

  @Test
  void our_file_in_a_folder_with_blanks_gets_quotes() {
    String line =
        Agents.redirected(
            "-ea -javaagent:/m2/org.jacoco.agent-runtime.jar=destfile=/p/j.exec,append=true -Da=b",
            "/p q/e.exec");
    assertEquals(
        List.of(
            "-ea",
            "-javaagent:/m2/org.jacoco.agent-runtime.jar=destfile=/p q/e.exec,append=true",
            "-Da=b"),
        ArgLine.split(line));
  }

  @Test
  void a_line_without_jacoco_is_left_alone() {
    assertEquals(
        "-javaagent:/x/other.jar=destfile=y",
        Agents.redirected("-javaagent:/x/other.jar=destfile=y", FILE));
  }
}
