package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.Project;
import org.gradle.api.logging.Logger;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnceTest {
  @TempDir private Path folder;

  @Test
  void a_build_reads_a_warning_once() {
    List<Object> said = new ArrayList<>();
    Logger logger =
        (Logger)
            Proxy.newProxyInstance(
                Logger.class.getClassLoader(),
                new Class<?>[] {Logger.class},
                (proxy, method, arguments) ->
                    method.getName().equals("warn") ? said.add(arguments[0]) : null);
    Project project = ProjectBuilder.builder().withProjectDir(folder.toFile()).build();
    for (String warning : List.of("one", "two", "one")) {
      Once.of(project.getGradle()).get().accept(logger, warning);
    }
    assertEquals(List.of("one", "two"), said);
  }
}
