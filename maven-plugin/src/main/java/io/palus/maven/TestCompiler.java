package io.palus.maven;

import io.palus.host.PalusException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.maven.project.MavenProject;

/** How maven-compiler-plugin compiles the project's tests, and a javac that does the same. */
final class TestCompiler {
  static final String KEY = "org.apache.maven.plugins:maven-compiler-plugin";

  private final MavenProject project;
  private final EffectiveConfiguration configuration;

  TestCompiler(MavenProject project, EffectiveConfiguration configuration) {
    this.project = project;
    this.configuration = configuration;
  }

  /** The source level of tests, 8 where nobody says. */
  int languageLevel() {
    String level = release().orElseGet(() -> level("testSource", "source").orElse("8"));
    String number = level.startsWith("1.") ? level.substring(2) : level;
    try {
      return Integer.parseInt(number.trim());
    } catch (NumberFormatException e) {
      return 8;
    }
  }

  /** Arguments for javac, without class path and output. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    Optional<String> release = release();
    if (release.isPresent()) {
      arguments.add("--release");
      arguments.add(release.get());
    } else {
      level("testSource", "source").ifPresent(s -> arguments.addAll(List.of("-source", s)));
      level("testTarget", "target").ifPresent(t -> arguments.addAll(List.of("-target", t)));
    }
    arguments.addAll(List.of("-encoding", "UTF-8")); // of what Palus writes, whatever the project's
    if (configuration.isTrue("parameters")) {
      arguments.add("-parameters");
    }
    if (configuration.isTrue("enablePreview")) {
      arguments.add("--enable-preview");
    }
    List<String> extra = new ArrayList<>(configuration.values("compilerArgs"));
    extra.addAll(configuration.values("testCompilerArgument"));
    for (String argument : extra) {
      // A compiler plug-in needs a processor path of its own and has nothing to say about written
      // tests.
      if (!argument.startsWith("-Xplugin")
          && !argument.startsWith("-XD")
          && !argument.startsWith("-A")) {
        arguments.add(argument);
      }
    }
    arguments.add("-proc:none");
    return arguments;
  }

  private Optional<String> release() {
    return level("testRelease", "release");
  }

  private Optional<String> level(String ofTests, String ofAll) {
    Optional<String> level = configuration.value(ofTests);
    return level.isPresent() ? level : configuration.value(ofAll);
  }

  /** Compiles files into a folder; answers what javac said where it refuses, else nothing. */
  Optional<String> compile(List<Path> sources, List<String> classPath, Path output, Path javaHome) {
    try {
      Files.createDirectories(output);
      Path argumentFile = output.resolveSibling("javac-arguments");
      List<String> arguments = new ArrayList<>(arguments());
      arguments.addAll(List.of("-nowarn", "-d", output.toString()));
      arguments.addAll(List.of("-cp", String.join(java.io.File.pathSeparator, classPath)));
      sources.forEach(source -> arguments.add(source.toString()));
      StringBuilder text = new StringBuilder();
      for (String argument : arguments) {
        String escaped = argument.replace("\\", "\\\\").replace("\"", "\\\"");
        text.append('"').append(escaped).append("\"\n");
      }
      Files.write(argumentFile, text.toString().getBytes(StandardCharsets.UTF_8));
      Process process =
          new ProcessBuilder(
                  javaHome.resolve("bin").resolve("javac").toString(),
                  "-J-Dfile.encoding=UTF-8",
                  "@" + argumentFile)
              .directory(project.getBasedir())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() == 0) {
        return Optional.empty();
      }
      if (PalusException.isFull(output, said)) {
        throw PalusException.unwritable(output, new IOException(said));
      }
      return Optional.of(said);
    } catch (IOException e) {
      throw PalusException.unwritable(output, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }
}
