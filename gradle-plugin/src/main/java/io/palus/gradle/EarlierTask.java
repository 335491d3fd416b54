package io.palus.gradle;

import io.palus.host.OptionNames;
import io.palus.host.Settings;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.tasks.Internal;
import org.gradle.work.DisableCachingByDefault;

/** A task that runs the tests of the last run on what the code is now, and writes none. */
@DisableCachingByDefault(because = "it looks at what the last run left")
public abstract class EarlierTask extends EngineTask {
  /** Where the tests are. */
  @Internal
  public abstract DirectoryProperty getOutputDirectory();

  /** Where the traces of the last run are. */
  @Internal
  public abstract DirectoryProperty getTraceDirectory();

  /** What speeds up the next run. */
  @Internal
  public abstract DirectoryProperty getWorkDirectory();

  /** Where what changed is reported. */
  @Internal
  public abstract DirectoryProperty getReportDirectory();

  /** What there is to know for that. */
  final Settings.Builder look() {
    return settings()
        .set(OptionNames.OUTPUT_DIRECTORY, path(getOutputDirectory()))
        .set("traceDirectory", path(getTraceDirectory()))
        .set("workDirectory", path(getWorkDirectory()))
        .set("reportDirectory", path(getReportDirectory()));
  }
}
