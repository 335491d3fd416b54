package io.palus.gradle;

import io.palus.host.CompilerServices;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.JavaVersion;
import org.gradle.api.tasks.compile.CompileOptions;
import org.gradle.api.tasks.compile.JavaCompile;

/**
 * How the project compiles its tests: for the engine, as arguments of javac without class path and
 * output, and for the task that compiles the written tests.
 */
final class CompilerArguments {
  private CompilerArguments() {}

  static List<String> of(JavaCompile task) {
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
    arguments.addAll(plain(options.getAllCompilerArgs()));
    arguments.add("-proc:none");
    return arguments;
  }

  /** The source level of tests. */
  static int languageLevel(JavaCompile task) {
    return task.getOptions().getRelease().isPresent()
        ? task.getOptions().getRelease().get()
        : Integer.parseInt(JavaVersion.toVersion(task.getSourceCompatibility()).getMajorVersion());
  }

  /** Makes the task that compiles written tests do as the one that compiles the user's. */
  static void copy(JavaCompile from, JavaCompile to) {
    CompileOptions options = from.getOptions();
    to.setSourceCompatibility(from.getSourceCompatibility());
    to.setTargetCompatibility(from.getTargetCompatibility());
    to.getJavaCompiler().set(from.getJavaCompiler());
    to.getOptions().setEncoding(options.getEncoding());
    to.getOptions().getRelease().set(options.getRelease());
    List<String> arguments = plain(options.getCompilerArgs());
    arguments.add("-proc:none");
    to.getOptions().setCompilerArgs(arguments);
    // It runs in Gradle's own JVM, with a class path that the user's compilation does not have.
    File none = CompilerServices.folder(to.getTemporaryDir().toPath()).toFile();
    to.getOptions().setAnnotationProcessorPath(to.getProject().files(none));
    to.getOptions().getCompilerArgumentProviders().addAll(options.getCompilerArgumentProviders());
  }

  /**
   * Without annotation processing and compiler plug-ins, which need a processor path of their own
   * and have nothing to say about written tests.
   */
  private static List<String> plain(List<String> arguments) {
    List<String> plain = new ArrayList<>();
    for (String argument : arguments) {
      if (!argument.startsWith("-Xplugin")
          && !argument.startsWith("-XD")
          && !argument.startsWith("-A")
          && !argument.startsWith("-proc:")) {
        plain.add(argument);
      }
    }
    return plain;
  }
}
