package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of three modules, of which each uses the one before, one class changes in the lowest: in each
 * module there is a class that uses it, at whatever distance, and one that does not.
 */
class ThreeModulesTest {
  private static final String MAVEN = "3.9.9";
  private static final String GRADLE = "8.11.1";
  private static final List<String> MODULES = List.of("ledger", "bank", "teller");
  private static final Pattern SET_ASIDE =
      Pattern.compile("1 of 2 classes is as the last run left it");

  @TempDir Path temp;

  @Test
  void gradle_does_the_class_and_its_users_again_and_both_its_caches_hold() throws IOException {
    ProjectHarness one = ProjectHarness.cached("multi-module", temp, "one");
    String[] generate = {"--build-cache", "--configuration-cache", "palusGenerate"};
    Build.gradle(GRADLE, one.folder, generate).succeeded();
    Map<String, String> before = one.written();

    Build second = Build.gradle(GRADLE, one.folder, generate).succeeded();
    assertTrue(second.output.contains("Reusing configuration cache"), second.output);
    assertAll(second, "UP-TO-DATE");

    edit(one);
    Build edited = Build.gradle(GRADLE, one.folder, generate).succeeded();
    assertTrue(edited.output.contains("Reusing configuration cache"), edited.output);
    assertSetAside(edited, before, one.written());

    // Somebody else's checkout of what was there before, and of the edit.
    ProjectHarness two = ProjectHarness.cached("multi-module", temp, "deeper/another place");
    Build cached = Build.gradle(GRADLE, two.folder, generate).succeeded();
    assertAll(cached, "FROM-CACHE");
    // The class path of `bank` holds the jar of `ledger`, which each checkout packs anew.
    for (String task : List.of("ledger:palusTrace", "bank:palusTrace")) {
      assertTrue(cached.output.contains("> Task :" + task + " FROM-CACHE"), cached.output);
    }
    assertFalse(before.isEmpty());
    assertEquals(before, two.written());
    // The cache holds tests and reports, not what a run knows of the last one: all is done, with
    // the same end.
    edit(two);
    Build.gradle(GRADLE, two.folder, generate).succeeded();
    assertEquals(one.written(), two.written());
    assertNothingIsReplaced(generate);
  }

  /** Whatever the cache has, and whatever Gradle forgets. */
  private void assertNothingIsReplaced(String... generate) throws IOException {
    ProjectHarness harness = ProjectHarness.cached("multi-module", temp, "third");
    assertAll(Build.gradle(GRADLE, harness.folder, generate).succeeded(), "FROM-CACHE");
    // What somebody edited is not replaced by what the cache has.
    Stream<String> written = harness.written().keySet().stream();
    String bank = written.filter(path -> path.contains("bank/")).findFirst().get();
    Path edited = harness.folder.resolve(bank);
    Files.writeString(edited, Files.readString(edited) + "// mine\n");
    Build third = Build.gradle(GRADLE, harness.folder, generate).succeeded();
    assertFalse(third.output.contains("bank:palusGenerate FROM-CACHE"), third.output);
    assertTrue(Files.readString(edited).endsWith("// mine\n"), third.output);

    // Without its history Gradle would delete all that it knows as outputs of a task.
    Map<String, String> before = harness.written();
    Files.move(harness.folder.resolve(".gradle"), temp.resolve("history"));
    Build fourth = Build.gradle(GRADLE, harness.folder, generate).succeeded();
    assertFalse(fourth.output.contains("bank:palusGenerate FROM-CACHE"), fourth.output);
    assertEquals(before, harness.written(), fourth.output);
  }

  @Test
  @Tag("features")
  void maven_does_the_class_and_its_users_again() throws IOException {
    ProjectHarness harness = ProjectHarness.copy("multi-module", temp);
    Build.maven(MAVEN, harness.folder, "palus:generate").succeeded();
    Map<String, String> before = harness.written();
    Build second = Build.maven(MAVEN, harness.folder, "palus:generate").succeeded();
    assertEquals(3, Pattern.compile("up to date, ").matcher(second.output).results().count());
    edit(harness);
    Build edited = Build.maven(MAVEN, harness.folder, "palus:generate").succeeded();
    assertSetAside(edited, before, harness.written());
  }

  private static void edit(ProjectHarness harness) throws IOException {
    harness.replace(
        "ledger/src/main/java/ledger/Ledger.java",
        "  public int balance() {",
        "  public int size() {\n    return amounts.size();\n  }\n\n  public int balance() {");
  }

  private static void assertAll(Build build, String outcome) {
    for (String module : MODULES) {
      String line = "> Task :" + module + ":palusGenerate " + outcome;
      assertTrue(build.output.contains(line), build.output);
    }
  }

  /** One class of each module, and no file of these. */
  private static void assertSetAside(
      Build build, Map<String, String> before, Map<String, String> after) {
    Matcher asides = SET_ASIDE.matcher(build.output);
    assertEquals(MODULES.size(), asides.results().count(), build.output);
    assertEquals(before.keySet(), after.keySet(), build.output);
    List<String> changed =
        after.keySet().stream()
            .filter(path -> !after.get(path).equals(before.get(path)))
            .map(path -> path.substring(path.lastIndexOf('/') + 1))
            .collect(Collectors.toList());
    assertTrue(changed.contains("LedgerPalusTest.java"), build.output + changed);
    assertFalse(changed.contains("MonthPalusTest.java"), build.output + changed);
    assertFalse(changed.contains("IbanPalusTest.java"), build.output + changed);
    assertFalse(changed.contains("CounterPalusTest.java"), build.output + changed);
  }
}
