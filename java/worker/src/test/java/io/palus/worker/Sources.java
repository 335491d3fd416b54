package io.palus.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Inline Java text to a folder of class files. */
final class Sources {
  /** In place of a release: what no release names, as {@code sun.misc.Unsafe}, is there too. */
  static final int OF_THIS_JDK = 0;

  private Sources() {}

  /** Compiles files given as (path, text) pairs. */
  static Path compile(Path folder, int release, String... pathsAndTexts) {
    try {
      Path sources = Files.createDirectories(folder.resolve("sources"));
      Path classes = Files.createDirectories(folder.resolve("classes"));
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of("-g", "-nowarn", "-proc:none", "-d", classes.toString()));
      arguments.addAll(List.of("-Xlint:-options", "-encoding", "UTF-8"));
      if (release != OF_THIS_JDK) {
        arguments.addAll(List.of("--release", String.valueOf(release)));
      }
      for (int i = 0; i < pathsAndTexts.length; i += 2) {
        Path file = sources.resolve(pathsAndTexts[i]);
        Files.createDirectories(file.getParent());
        Files.writeString(file, pathsAndTexts[i + 1]);
        arguments.add(file.toString());
      }
      int result =
          ToolProvider.getSystemJavaCompiler()
              .run(null, null, null, arguments.toArray(new String[0]));
      if (result != 0) {
        throw new AssertionError("the test's own sources do not compile");
      }
      return classes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Internal names of all classes in a folder, sorted. */
  static List<String> names(Path classes) {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .map(file -> classes.relativize(file).toString())
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .sorted(Comparator.naturalOrder())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
