package io.palus.gradle;

import io.palus.host.TestReports;
import java.io.File;
import org.gradle.api.Action;
import org.gradle.api.Task;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.testing.JUnitXmlReport;
import org.gradle.api.tasks.testing.Test;

/** After the tests have run: remembers how many and how long, beside their traces. */
final class RecordRun implements Action<Task> {
  private final DirectoryProperty traceDirectory;
  private final Property<File> optionsFile;
  private final DirectoryProperty results;
  private final Property<Boolean> hasResults;

  RecordRun(TraceArguments arguments, JUnitXmlReport results) {
    this.traceDirectory = arguments.getTraceDirectory();
    this.optionsFile = arguments.getOptionsFile();
    this.results = results.getOutputLocation();
    this.hasResults = results.getRequired();
  }

  @Override
  public void execute(Task task) {
    if (!TraceArguments.areOn((Test) task)) {
      return;
    }
    // Gradle has removed the reports of earlier runs.
    TestReports reports = TestReports.since(0, results.get().getAsFile().toPath());
    File directory = traceDirectory.get().getAsFile();
    TraceFiles.protect(directory);
    if (reports.tests() > 0 || hasResults.get()) {
      // The options were written when the task began. What the reports say of time is no sum:
      // suites contain suites.
      long millis = System.currentTimeMillis() - optionsFile.get().lastModified();
      TraceFiles.writeRun(directory, reports.tests(), millis);
    }
    if (reports.red() > 0) {
      task.getLogger().warn(reports.failures());
    }
    if (reports.tests() > 0 && !TraceFiles.holdsTraces(directory)) {
      task.getLogger()
          .warn(
              "{} tests ran without the tracing agent. Does something replace the arguments of"
                  + " their JVM?",
              reports.tests());
    }
  }
}
