package io.palus.gradle;

import java.io.File;
import java.io.Serializable;
import org.gradle.api.Action;
import org.gradle.api.GradleException;
import org.gradle.api.Task;
import org.gradle.api.file.EmptyFileVisitor;
import org.gradle.api.file.FileVisitDetails;
import org.gradle.api.logging.LogLevel;
import org.gradle.api.tasks.compile.JavaCompile;

/**
 * What is said where written tests no longer compile. What javac says of a test that nobody wrote
 * is no help, and Gradle would put all of it into the error of the build: so it goes to the log of
 * `--info`, and the task that comes after a failed one says what changed in the code.
 */
final class CompiledWritten implements Action<Task>, Serializable {
  private static final long serialVersionUID = 1L;

  static void watch(JavaCompile task) {
    task.getLogging().captureStandardError(LogLevel.INFO);
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
                  throw new GradleException(
                      "the tests that Palus wrote no longer compile; checkPalusTest says what"
                          + " changed in the code (with --info, what javac says)");
                }
              }
            });
  }
}
