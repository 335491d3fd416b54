package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoveredClassesTest {
  @TempDir private Path work;

  private void classes(String... names) throws IOException {
    for (String name : names) {
      Path file = work.resolve("classes").resolve(name + ".class");
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }
  }

  private List<String> patterns() {
    return CoveredClasses.patterns(
        List.of(work.resolve("none").toFile(), work.resolve("classes").toFile()));
  }

  @Test
  void packages_stand_for_those_within_them_and_not_for_others_that_begin_so() throws IOException {
    classes("a/b/C", "a/b/c/D", "a/b/c/d/E", "a/bb/F", "Main", "Main$1", "module-info");
    assertEquals(List.of("Main", "Main?*", "a.b.*", "a.bb.*"), patterns());
  }

  @Test
  void a_package_may_be_a_link_to_a_folder_elsewhere() throws IOException {
    classes("a/B");
    Path elsewhere = Files.createDirectories(work.resolve("elsewhere"));
    Files.createFile(elsewhere.resolve("C.class"));
    Files.createSymbolicLink(work.resolve("classes/linked"), elsewhere);
    assertEquals(List.of("a.*", "linked.*"), patterns());
  }

  @Test
  void names_that_need_quoting_and_too_many_packages_mean_all_classes() throws IOException {
    classes("a/B");
    assertEquals(List.of("a.*"), patterns());
    classes("a b/C");
    assertEquals(List.of(), patterns());
    Files.delete(work.resolve("classes/a b/C.class"));
    assertEquals(List.of("a.*"), patterns());
    for (int i = 0; i < 500; i++) {
      classes("package" + i + "/C");
    }
    assertEquals(List.of(), patterns());
  }
}
