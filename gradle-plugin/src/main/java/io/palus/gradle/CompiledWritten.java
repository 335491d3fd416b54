package io.palus.gradle;

import io.palus.host.ChildProcess;
import io.palus.host.CompilerServices;
import io.palus.host.PalusException;
import io.palus.host.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gradle.api.Action;
import org.gradle.api.GradleException;
import org.gradle.api.Task;
import org.gradle.api.file.EmptyFileVisitor;
import org.gradle.api.file.FileVisitDetails;
import org.gradle.api.logging.LogLevel;
import org.gradle.api.tasks.compile.CompileOptions;
import org.gradle.api.tasks.compile.JavaCompile;
import org.gradle.jvm.toolchain.JavaCompiler;

/**
 * What is said where written tests do not compile. All that javac says of tests that nobody wrote
 * is no help, and Gradle would put it into the error of the build: so it goes to the log of
 * `--info`, the error has the first of it, and the task that comes after a failed one says what
 * changed in the code. A full disk is no change of the code, and is named.
 */
final class CompiledWritten implements Action<Task>, Serializable {
  private static final long serialVersionUID = 1L;
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Pattern ERROR = Pattern.compile("(.+: )?error: .*");
  private static final String ALL_OF_IT = " (with --info, all that javac says)";

  static void watch(JavaCompile task) {
    task.doFirst(new Quiet());
    task.getOptions().setFailOnError(false);
    // Classes of a compilation before could be taken for those of one that failed.
    task.getOptions().setIncremental(false);
    task.doLast(new CompiledWritten());
  }

  @Override
  public void execute(Task task) {
    JavaCompile compile = (JavaCompile) task;
    File classes = compile.getDestinationDirectory().get().getAsFile();
    compile
        .getSource()
        .visit(
            new EmptyFileVisitor() {
              @Override
              public void visitFile(FileVisitDetails file) {
                String path = file.getPath();
                if (path.endsWith("Test.java")
                    && !new File(classes, path.replaceAll("java$", "class")).isFile()) {
                  throw failure(compile, classes.toPath());
                }
              }
            });
  }

  private static GradleException failure(JavaCompile compile, Path classes) {
    Path arguments = compile.getTemporaryDir().toPath().resolve("javac-arguments");
    try {
      ChildProcess.Ended again = compileAgain(compile, arguments, classes);
      return failure(again.status == 0, again.said, classes);
    } catch (IOException e) {
      return Failures.of(PalusException.unwritable(arguments, e));
    } catch (PalusException e) {
      return Failures.of(e);
    }
  }

  /**
   * What Gradle's javac said cannot be heard: what has the level of `--info` reaches no listener.
   * And the class of a test is missing for this reason or that.
   */
  private static ChildProcess.Ended compileAgain(JavaCompile compile, Path arguments, Path classes)
      throws IOException {
    List<String> all = new ArrayList<>(CompilerArguments.of(compile));
    all.addAll(List.of("-d", classes.toString(), "-cp", compile.getClasspath().getAsPath()));
    all.addAll(CompilerServices.none(classes));
    compile.getSource().forEach(source -> all.add(source.toString()));
    StringBuilder text = new StringBuilder();
    for (String argument : all) {
      String escaped = argument.replace("\\", "\\\\").replace("\"", "\\\"");
      text.append('"').append(escaped).append("\"\n");
    }
    PrivateFiles.write(arguments, text.toString().getBytes(StandardCharsets.UTF_8));
    JavaCompiler compiler = compile.getJavaCompiler().getOrNull();
    // Gradle 7.6 names no compiler where the build script asks for none: it is that of its own JVM.
    Path javac =
        compiler == null
            ? Path.of(System.getProperty("java.home"), "bin", "javac")
            : compiler.getExecutablePath().getAsFile().toPath();
    return ChildProcess.run(
        List.of(
            javac.toString(), "-J-Dfile.encoding=UTF-8", "-J-Duser.language=en", "@" + arguments),
        compile.getTemporaryDir().toPath(),
        LIMIT);
  }

  /** What is wrong, by what javac said when it was asked once more. */
  static GradleException failure(boolean compiles, String said, Path classes) {
    if (PalusException.isFull(classes, said)) {
      return Failures.of(PalusException.unwritable(classes, new IOException(said)));
    }
    if (compiles) {
      return new GradleException(
          "javac left out classes of the tests that Palus wrote, and wrote them when it was started"
              + " once more: it did not end well, and nothing changed in the code. Run again"
              + ALL_OF_IT);
    }
    String first =
        said.lines()
            .filter(line -> ERROR.matcher(line).matches())
            .findFirst()
            .orElseGet(
                () -> said.lines().filter(line -> !line.isBlank()).findFirst().orElse("no word"));
    return new GradleException(
        "the tests that Palus wrote do not compile; checkPalusTest says whether the code changed,"
            + " and what. The first that javac says"
            + ALL_OF_IT
            + ": "
            + first);
  }

  /**
   * Just before it compiles, for a build script may say something of all compilations: written
   * tests are in UTF-8, and whoever wants no warnings means what people write. And no configuration
   * cache keeps where words of a task go.
   */
  private static final class Quiet implements Action<Task>, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public void execute(Task task) {
      task.getLogging().captureStandardError(LogLevel.INFO);
      CompileOptions options = ((JavaCompile) task).getOptions();
      options
          .getCompilerArgs()
          .removeIf(argument -> argument.equals("-Werror") || argument.startsWith("-Xlint"));
      options.setEncoding(StandardCharsets.UTF_8.name());
    }
  }
}
