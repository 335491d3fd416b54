package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaseRevisionTest {
  @TempDir Path temp;
  private Path module;
  private Path build;

  @BeforeEach
  void two_commits() throws Exception {
    module = Files.createDirectories(temp.resolve("shop/core"));
    build = module.resolve("build");
    write("src/A.java", "old");
    write("src/Gone.java", "gone");
    git("init", "-q");
    git("add", ".");
    commit("first");
    write("src/A.java", "new");
    Files.delete(module.resolve("src/Gone.java"));
    git("add", "-A", ".");
    commit("second");
    write("src/A.java", "edited");
  }

  @Test
  void a_revision_is_laid_out_and_the_work_tree_stays_as_it_is() throws Exception {
    BaseRevision base = of("HEAD~1");
    Path there = base.at(module.resolve("src/A.java"));
    assertTrue(there.startsWith(build), there.toString());
    assertEquals("old", Files.readString(there));
    assertEquals("gone", Files.readString(base.at(module.resolve("src/Gone.java"))));
    assertEquals("edited", Files.readString(module.resolve("src/A.java")));
    assertEquals("new", Files.readString(of("HEAD").at(module.resolve("src/A.java"))));
  }

  @Test
  void what_others_did_since_this_branch_left_the_revision_is_not_in_it() throws Exception {
    git("branch", "trunk");
    String left = said("rev-parse", "--short=8", "HEAD");
    git("commit", "-q", "-a", "-m", "mine");
    git("checkout", "-q", "trunk");
    write("src/A.java", "theirs");
    git("commit", "-q", "-a", "-m", "theirs");
    git("checkout", "-q", "-");
    BaseRevision base = of("trunk");
    assertEquals("new", Files.readString(base.at(module.resolve("src/A.java"))));
    assertEquals(
        "compared with trunk as it was at " + left + ", where this branch left it",
        base.comparedWith().orElseThrow());
    assertEquals(Optional.empty(), of("HEAD~1").comparedWith(), "it is part of this branch");
  }

  @Test
  void a_revision_without_a_common_commit_is_taken_as_it_is_and_said_to_be() throws Exception {
    git("commit", "-q", "-a", "-m", "mine");
    git("branch", "mine");
    git("checkout", "-q", "--orphan", "other");
    write("src/A.java", "unrelated");
    git("commit", "-q", "-a", "-m", "unrelated");
    BaseRevision base = of("mine");
    assertEquals("edited", Files.readString(base.at(module.resolve("src/A.java"))));
    String said = base.comparedWith().orElseThrow();
    assertTrue(said.startsWith("compared with mine as it is now: "), said);
  }

  @Test
  void a_class_path_has_what_the_revision_has_and_what_lies_elsewhere() throws Exception {
    Path jar = Files.createFile(temp.resolve("library.jar"));
    BaseRevision base = of("HEAD~1");
    Path classes = module.resolve("src");
    Path tests = module.resolve("test-classes");
    assertEquals(List.of(base.at(classes), jar), base.classPath(List.of(tests, classes, jar)));
  }

  @Test
  void of_a_jar_of_another_module_the_classes_take_the_place() throws Exception {
    BaseRevision base = of("HEAD~1");
    Path core = module.resolve("core");
    for (String build : List.of("target", "build/libs")) {
      Path jar = core.resolve(build + "/core.jar");
      assertEquals(List.of(), base.classPath(List.of(jar)), "the module is new");
    }
    Path maven = Files.createDirectories(base.at(core.resolve("target/classes")));
    assertEquals(List.of(maven), base.classPath(List.of(core.resolve("target/core.jar"))));
    Path gradle = core.resolve("build/libs/core.jar");
    assertThrows(PalusException.class, () -> base.classPath(List.of(gradle)));
    List<Path> compiled =
        List.of(
            Files.createDirectories(base.at(core.resolve("build/classes/java/main"))),
            Files.createDirectories(base.at(core.resolve("build/resources/main"))));
    assertEquals(compiled, base.classPath(List.of(gradle)));
  }

  @Test
  void a_jar_that_was_added_is_left_out_and_none_that_the_revision_does_not_build()
      throws Exception {
    BaseRevision base = of("HEAD~1");
    Files.createDirectories(base.at(module.resolve("app")));
    for (String name : List.of("libs/x.jar", "app/libs/x.jar", "../libs/x.jar")) {
      assertEquals(List.of(), base.classPath(List.of(module.resolve(name))), name);
    }
    Path folders = module.resolve("out");
    BaseRevision other = BaseRevision.of(module, "HEAD~1", folders, folders.resolve("palus"));
    Files.createDirectories(other.at(module.resolve("app")));
    Path built = module.resolve("app/out/libs/app.jar");
    PalusException thrown =
        assertThrows(PalusException.class, () -> other.classPath(List.of(built)));
    assertTrue(thrown.getMessage().contains("does not build"), thrown.getMessage());
  }

  @Test
  void a_place_that_cannot_be_written_is_named_with_its_cause() throws Exception {
    Path file = Files.createDirectories(build).resolve("file");
    Files.writeString(file, "");
    Path work = file.resolve("work");
    PalusException error =
        assertThrows(PalusException.class, () -> BaseRevision.of(module, "HEAD", build, work));
    assertTrue(error.getMessage().startsWith("cannot write to " + work), error.getMessage());
  }

  @Test
  void two_at_once_are_apart_and_each_goes_when_it_is_closed() throws Exception {
    Path kept;
    try (BaseRevision first = of("HEAD~1")) {
      kept = first.at(module.resolve("src/A.java"));
      try (BaseRevision second = of("HEAD")) {
        assertEquals("new", Files.readString(second.at(module.resolve("src/A.java"))));
      }
      assertEquals("old", Files.readString(kept));
    }
    assertFalse(Files.exists(kept));
  }

  @Test
  void classes_outside_of_the_repository_are_refused() {
    BaseRevision base = of("HEAD");
    base.checkBuilt(List.of(build.resolve("classes")));
    Path elsewhere = temp.resolve("out/classes");
    PalusException thrown =
        assertThrows(PalusException.class, () -> base.checkBuilt(List.of(elsewhere)));
    assertTrue(thrown.getMessage().contains(elsewhere.toString()), thrown.getMessage());
  }

  @Test
  void an_unknown_revision_and_one_that_is_an_option_are_named() {
    for (String since : List.of("nowhere", "--output=" + temp.resolve("victim"))) {
      PalusException thrown = assertThrows(PalusException.class, () -> of(since));
      assertEquals(PalusException.Kind.CONFIGURATION, thrown.kind());
      assertTrue(thrown.getMessage().contains("no revision `" + since), thrown.getMessage());
    }
    assertFalse(Files.exists(temp.resolve("victim")));
    PalusException thrown = assertThrows(PalusException.class, () -> of(" "));
    assertTrue(thrown.hint().contains("HEAD~1"), thrown.hint());
  }

  @Test
  void a_folder_outside_of_git_is_said_to_be() throws IOException {
    Path elsewhere = Files.createDirectories(temp.resolve("plain"));
    Path target = elsewhere.resolve("build");
    PalusException thrown =
        assertThrows(
            PalusException.class,
            () -> BaseRevision.of(elsewhere, "HEAD", target, target.resolve("base")));
    assertTrue(thrown.getMessage().contains("it is no Git repository"), thrown.getMessage());
  }

  private BaseRevision of(String since) {
    return BaseRevision.of(module, since, build, build.resolve("palus"));
  }

  private void write(String name, String text) throws IOException {
    Path file = module.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void commit(String message) throws Exception {
    git("commit", "-q", "-m", message);
  }

  private void git(String... arguments) throws Exception {
    said(arguments);
  }

  private String said(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", temp.resolve("shop").toString()));
    command.addAll(List.of("-c", "user.name=a", "-c", "user.email=a@b"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said.trim();
  }
}
