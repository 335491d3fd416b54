package io.palus.maven;

import io.palus.host.ChildProcess;
import io.palus.host.CompilerServices;
import io.palus.host.PalusException;
import io.palus.host.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.maven.project.MavenProject;

/** How maven-compiler-plugin compiles the project's tests, and a javac that does the same. */
final class TestCompiler {
  static final String KEY = "org.apache.maven.plugins:maven-compiler-plugin";

  /** Far more than written tests of any project take. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final MavenProject project;
  private final EffectiveConfiguration configuration;
  private final Duration limit;

  TestCompiler(MavenProject project, EffectiveConfiguration configuration) {
    this(project, configuration, LIMIT);
  }

  TestCompiler(MavenProject project, EffectiveConfiguration configuration, Duration limit) {
    this.project = project;
    this.configuration = configuration;
    this.limit = limit;
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
      // tests. Nor has whoever wants no warnings in what people write.
      if (!argument.startsWith("-Xplugin")
          && !argument.equals("-Werror")
          && !argument.startsWith("-Xlint")
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

  /**
   * Compiles files into a folder; answers what javac said where it refuses, else nothing.
   *
   * @throws PalusException where the folder cannot be written, or javac does not end
   */
  Optional<String> compile(List<Path> sources, List<String> classPath, Path output, Path javaHome) {
    Path argumentFile = output.resolveSibling("javac-arguments");
    List<String> arguments = new ArrayList<>(arguments());
    arguments.addAll(List.of("-nowarn", "-d", output.toString()));
    arguments.addAll(CompilerServices.none(output));
    arguments.addAll(List.of("-cp", String.join(java.io.File.pathSeparator, classPath)));
    sources.forEach(source -> arguments.add(source.toString()));
    StringBuilder text = new StringBuilder();
    for (String argument : arguments) {
      String escaped = argument.replace("\\", "\\\\").replace("\"", "\\\"");
      text.append('"').append(escaped).append("\"\n");
    }
    try {
      Files.createDirectories(output);
      PrivateFiles.write(argumentFile, text.toString().getBytes(StandardCharsets.UTF_8));
      Path javac = javaHome.resolve("bin").resolve("javac");
      ChildProcess.Ended ended =
          ChildProcess.run(
              List.of(javac.toString(), "-J-Dfile.encoding=UTF-8", "@" + argumentFile),
              project.getBasedir().toPath(),
              limit);
      if (ended.status == 0) {
        return Optional.empty();
      }
      if (PalusException.isFull(output, ended.said)) {
        throw PalusException.unwritable(output, new IOException(ended.said));
      }
      return Optional.of(ended.said);
    } catch (IOException e) {
      throw PalusException.unwritable(output, e);
    }
  }
}
