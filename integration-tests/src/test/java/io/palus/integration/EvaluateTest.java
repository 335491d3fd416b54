package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program behind {@code ./gradlew evaluate}, on its smallest subject. */
@Tag("features")
class EvaluateTest {
  @TempDir Path output;

  private String console;

  private int evaluate(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(System.getProperty("palus.evaluate").split("\n")));
    command.add("output=" + output);
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    console = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor();
  }

  /** The commands of an example of the docs, as they stand there. */
  private void runExample(String name) throws Exception {
    for (String command : Examples.commands(name, "./gradlew")) {
      String[] options = command.replaceFirst("^evaluate -P", "").split(" -P");
      assertEquals(0, evaluate(options), console);
    }
  }

  @Test
  @Example("evaluate")
  void an_ablation_writes_rows_table_and_plot_and_goes_on_where_it_was() throws Exception {
    runExample("evaluate");
    assertTrue(console.contains("1 rows of 2 s to measure"), console);

    Path folder = output.resolve("ablation");
    List<String> rows = Files.readAllLines(folder.resolve("gangup.csv"));
    assertEquals(3, rows.size(), rows.toString());
    assertEquals(
        "subject,mode,seed,line_covered,line_total,branch_covered,branch_total,tests,wall_s",
        rows.get(0));
    for (String row : rows.subList(1, 3)) {
      String[] fields = row.split(",");
      int covered = Integer.parseInt(fields[3]);
      int total = Integer.parseInt(fields[4]);
      // A few classes of our own, most of whose lines anybody would reach.
      assertTrue(covered > total / 2 && covered <= total, row);
      assertTrue(Integer.parseInt(fields[7]) > 4, row);
      assertTrue(Double.parseDouble(fields[8]) < 30, row);
    }
    String table = Files.readString(folder.resolve("ablation.md"));
    assertTrue(table.contains("| subject | random | full |"), table);
    assertTrue(Files.readString(folder.resolve("ablation.svg")).contains(">gangup, 2 s</text>"));
    assertFalse(Files.exists(folder.resolve("work/gangup-full-1")), "the row's work is left");
  }

  @Test
  @Example("evaluate-templates")
  void templates_are_compared_with_the_same_search_without_them() throws Exception {
    runExample("evaluate-templates");
    Path folder = output.resolve("templates");
    assertEquals(3, Files.readAllLines(folder.resolve("gangup.csv")).size());
    String table = Files.readString(folder.resolve("templates.md"));
    assertTrue(table.contains("| subject | dynamosa | dynamosa-plain |"), table);
    assertTrue(table.contains("| subject | points | A12 | p |"), table);
  }

  @Test
  @Example("evaluate-faults")
  void pit_says_which_faults_the_tests_notice() throws Exception {
    runExample("evaluate-faults");
    Path folder = output.resolve("faults");
    String[] row = Files.readAllLines(folder.resolve("noticed/gangup.csv")).get(1).split(",");
    int faults = Integer.parseInt(row[5]);
    int reached = Integer.parseInt(row[6]);
    int noticed = Integer.parseInt(row[7]);
    assertTrue(faults >= reached && reached >= noticed && noticed > faults / 2, console);
    assertTrue(Integer.parseInt(row[9]) > 0, "its own count: " + String.join(",", row));
    String table = Files.readString(folder.resolve("faults.md"));
    assertTrue(table.contains("## Faults noticed, of all and of those that a test reaches"), table);
  }

  @Test
  @Example("evaluate-peers")
  void a_peer_without_a_jar_is_left_out_and_palus_is_measured_alone() throws Exception {
    runExample("evaluate-peers");
    assertTrue(console.contains("evosuite is left out: no evosuiteJar is given\n"), console);
    assertTrue(console.contains("randoop is left out: no randoopJar is given\n"), console);
    Path folder = output.resolve("peers");
    assertEquals(3, Files.readAllLines(folder.resolve("gangup.csv")).size());
    List<String> beside = Files.readAllLines(folder.resolve("beside/gangup.csv"));
    assertEquals(
        "subject,mode,seed,written,uncompilable,failing,trace_s,verify_s,java", beside.get(0));
    String table = Files.readString(folder.resolve("peers.md"));
    assertTrue(table.contains("| subject | palus | palus-tenth |"), table);
    assertTrue(table.contains("## Seconds beside generation"), table);
  }

  @Test
  void an_unknown_study_is_refused_with_the_known_ones() throws Exception {
    assertEquals(1, evaluate("study=ablations"));
    assertEquals(
        "evaluate: there is no study `ablations`; known: ablation, templates, peers, faults,"
            + " growth\n",
        console);
  }
}
