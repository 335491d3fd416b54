package io.palus.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that an earlier run verified and wrote are lost by no later run, however it ends. */
@Execution(ExecutionMode.SAME_THREAD) // they share a run, and some wait for one another's moments
class KeptFilesTest {
  private static final String MAVEN = "3.9.9";
  private static final String OUTPUT = "target/generated-test-sources/palus";

  /** The project after a run of all: each test goes on from a copy of it. */
  @TempDir static Path once;

  private static ProjectHarness whole;

  @TempDir Path temp;
  private ProjectHarness harness;

  @BeforeAll
  static void generatesWhole() throws IOException {
    whole = ProjectHarness.copy("kept-files", once);
    whole.check(Build.maven(MAVEN, whole.folder, arguments("seed=0")));
  }

  @BeforeEach
  void copies() throws IOException {
    harness = whole.copyTo(temp);
  }

  @Test
  void a_narrowed_a_hurried_and_a_mistyped_run_lose_nothing() throws IOException {
    Map<String, String> all = harness.written();

    Build narrowed = generate("classes=sample.Ledger", "seed=0").succeeded();
    assertEquals(all, harness.written(), narrowed.output);
    assertTrue(narrowed.output.contains("of earlier runs"), narrowed.output);
    assertTrue(narrowed.output.contains("sample/AccountPalusTest.java"), narrowed.output);

    Build hurried = generate("timeLimit=1", "seed=5", "budget=1000000").succeeded();
    assertEquals(all.keySet(), harness.written().keySet(), hurried.output);
    all.forEach((path, text) -> losesNothing(path, text, hurried));
    assertTrue(hurried.output.contains("raise `timeLimit`"), hurried.output);
    assertFalse(
        generate("timeLimit=1", "seed=5", "budget=1000000").output.contains("up to date, "));

    Map<String, String> before = harness.written();
    Build mistyped = generate("classes=simple.*").succeeded();
    assertEquals(before, harness.written(), mistyped.output);
    assertTrue(mistyped.output.contains("no class with code matches"), mistyped.output);

    Build wrong = generate("outputDirectory=src/main/java").failed();
    assertTrue(wrong.output.contains("`outputDirectory`"), wrong.output);
    Build mixed = generate("findingsDirectory=" + OUTPUT).failed();
    assertTrue(mixed.output.contains("`findingsDirectory`"), mixed.output);
    assertEquals(before, harness.written(), mixed.output);

    // Nothing of it counts as somebody else's.
    Build again = generate("seed=0").succeeded();
    assertEquals(all, harness.written(), again.output);
    assertFalse(again.output.contains("left alone"), again.output);
  }

  @Test
  void a_killed_build_leaves_every_file_ours_and_the_next_run_goes_on() throws Exception {
    Path output = harness.folder.resolve(OUTPUT);
    Path verified = harness.folder.resolve("target/palus/verify/classes/sample");
    Map<String, String> before = texts(output);
    List<BooleanSupplier> moments =
        List.of(
            () -> Files.exists(output.resolve(".palus-lock")),
            () -> Files.exists(verified),
            () -> !before.equals(texts(output)));
    int seed = 1;
    for (BooleanSupplier moment : moments) {
      deleteClasses(verified);
      Build.Running running = start("seed=" + seed, "budget=" + 1000 * (seed + 1));
      seed++;
      running.await(moment);
      running.kill();
      // Each file is one that Palus listed, whole, though perhaps not yet the last.
      String listed = Files.readString(output.resolve(".palus-manifest"));
      for (Map.Entry<String, String> file : texts(output).entrySet()) {
        assertTrue(listed.contains(sha256(file.getValue()) + " " + file.getKey()), listed);
      }
    }
    Build next = generate("seed=" + seed).succeeded();
    assertFalse(next.output.contains("left alone"), next.output);
    harness.check(next);
    try (Stream<Path> all = Files.walk(output)) {
      List<Path> files = new ArrayList<>();
      all.filter(Files::isRegularFile).forEach(files::add);
      assertEquals(4, files.size(), files::toString);
    }
    String listed = Files.readString(output.resolve(".palus-manifest"));
    long files = listed.lines().filter(line -> !line.startsWith("tests ")).count();
    assertEquals(5, files, next.output);
  }

  @Test
  void a_build_that_is_killed_before_all_is_verified_together_writes_nothing_and_loses_nothing()
      throws Exception {
    // So many classes that they are verified in two batches, and then together.
    for (int number = 10; number < 42; number++) {
      Files.writeString(
          harness.folder.resolve("src/main/java/sample/Bare" + number + ".java"),
          "package sample;\n\nfinal class Bare%d {\n  private Bare%d() {}\n}\n"
              .replace("%d", "" + number));
    }
    Path output = harness.folder.resolve(OUTPUT);
    Path staged = harness.folder.resolve("target/palus/staged");
    Map<String, String> before = texts(output);
    String[] options = {"seed=1", "budget=2000"};
    Build.Running running = start(options);
    running.await(() -> has(staged, 35));
    running.kill();
    assertEquals(before, texts(output));
    Build next = generate(options).succeeded();
    assertTrue(next.output.contains("an interrupted run had verified"), next.output);
    assertFalse(before.equals(texts(output)), next.output);
    assertFalse(Files.exists(staged), next.output);
    harness.check(next);
  }

  @Test
  void a_second_build_waits_and_says_for_whom() throws Exception {
    Path lock = harness.folder.resolve(OUTPUT).resolve(".palus-lock");
    Build.Running first = start("seed=1");
    first.await(() -> Files.exists(lock));
    first.signal("STOP");
    Build.Running second = start("seed=2");
    String said = "another run of Palus (process " + first.pid() + ") works in";
    try {
      second.await(() -> second.output().contains(said));
    } finally {
      first.signal("CONT");
    }
    Build one = first.end().succeeded();
    Build two = second.end().succeeded();
    assertFalse((one.output + two.output).contains("left alone"), two.output);
    assertFalse(Files.exists(lock), two.output);
    harness.check(two);
  }

  @Test
  void a_second_build_traces_when_the_first_has_read_its_traces() throws Exception {
    Path held = harness.folder.resolve("held");
    Path test = harness.folder.resolve("src/test/java/sample/HeldTest.java");
    Files.createDirectories(test.getParent());
    Files.writeString(
        test,
        "package sample;\n"
            + "class HeldTest {\n"
            + "  @org.junit.jupiter.api.Test void waits() throws Exception {\n"
            + "    java.io.File held = new java.io.File(\"held\");\n"
            + "    new Rates().percent(4);\n"
            + "    while (held.exists()) { Thread.sleep(50); }\n"
            + "    new Rates().name(3);\n"
            + "  }\n"
            + "}\n");
    Files.createFile(held);
    Build.Running first = start("seed=1");
    first.await(() -> first.output().contains("Running sample.HeldTest"));
    Build.Running second = start("seed=2");
    String said = "another run of Palus (process " + first.pid() + ") works in";
    boolean waited;
    try {
      second.await(() -> second.output().contains(said) || isOver(second));
    } finally {
      waited = !second.output().contains("Running sample.");
      Files.delete(held);
    }
    Build one = first.end().succeeded();
    Build two = second.end().succeeded();
    assertTrue(waited, two.output);
    assertTrue(one.output.contains("1 test in 1 trace file, 1 class seen, 4 calls"), one.output);
    harness.check(two);
  }

  private static boolean has(Path folder, int files) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.count() == files;
    } catch (IOException missing) {
      return false;
    }
  }

  private static boolean isOver(Build.Running build) {
    return build.output().contains("Running sample.");
  }

  /** A class that was cut has the tests it had; one that was done has those of this run's seed. */
  private void losesNothing(String path, String text, Build build) {
    String name = path.replace("PalusTest.java", "").replace('/', '.');
    boolean isCut =
        build.output.lines().anyMatch(line -> line.contains("limit cut ") && line.contains(name));
    try {
      String after = harness.written().get(path);
      assertTrue(isCut ? after.equals(text) : ProjectHarness.count(after) >= 1, build.output);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Build generate(String... options) {
    return Build.maven(MAVEN, harness.folder, arguments(options));
  }

  private Build.Running start(String... options) {
    return Build.startMaven(MAVEN, harness.folder, arguments(options));
  }

  private static String[] arguments(String... options) {
    List<String> arguments = new ArrayList<>(List.of("palus:generate"));
    if (Stream.of(options).noneMatch(option -> option.startsWith("budget="))) {
      arguments.add("-Dpalus.budget=1000");
    }
    Stream.of(options).forEach(option -> arguments.add("-Dpalus." + option));
    return arguments.toArray(new String[0]);
  }

  /** Written files by path below the folder; some may just be replaced. */
  private static Map<String, String> texts(Path folder) {
    Map<String, String> texts = new TreeMap<>();
    for (String name : List.of("Account", "Ledger", "Rates")) {
      String path = "sample/" + name + "PalusTest.java";
      try {
        texts.put(path, Files.readString(folder.resolve(path)));
      } catch (IOException missing) {
        throw new AssertionError(path + " is lost", missing);
      }
    }
    return texts;
  }

  private static void deleteClasses(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  private static String sha256(String text) throws NoSuchAlgorithmException {
    StringBuilder hash = new StringBuilder();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (byte part : MessageDigest.getInstance("SHA-256").digest(bytes)) {
      hash.append(String.format("%02x", part));
    }
    return hash.toString();
  }
}
