package io.palus.gradle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.gradle.api.JavaVersion;
import org.gradle.api.tasks.compile.CompileOptions;
import org.gradle.api.tasks.compile.JavaCompile;

/** How the project compiles its tests, as arguments of javac without class path and output. */
final class CompilerArguments implements Callable<List<String>> {
  private final JavaCompile task;

  CompilerArguments(JavaCompile task) {
    this.task = task;
  }

  @Override
  public List<String> call() {
    List<String> arguments = new ArrayList<>();
    CompileOptions options = task.getOptions();
    if (options.getRelease().isPresent()) {
      arguments.addAll(List.of("--release", options.getRelease().get().toString()));
    } else {
      arguments.addAll(List.of("-source", task.getSourceCompatibility()));
      arguments.addAll(List.of("-target", task.getTargetCompatibility()));
    }
    if (options.getEncoding() != null) {
      arguments.addAll(List.of("-encoding", options.getEncoding()));
    }
    arguments.addAll(plain(options.getCompilerArgs()));
    arguments.add("-proc:none");
    return arguments;
  }

  /** The source level of tests. */
  int languageLevel() {
    return task.getOptions().getRelease().isPresent()
        ? task.getOptions().getRelease().get()
        : Integer.parseInt(JavaVersion.toVersion(task.getSourceCompatibility()).getMajorVersion());
  }

  /**
   * Without compiler plug-ins, which need a processor path of their own and have nothing to say
   * about written tests.
   */
  static List<String> plain(List<String> arguments) {
    List<String> plain = new ArrayList<>();
    for (String argument : arguments) {
      if (!argument.startsWith("-Xplugin")
          && !argument.startsWith("-XD")
          && !argument.startsWith("-A")) {
        plain.add(argument);
      }
    }
    return plain;
  }
}
