package io.palus.host;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;

/** What a run left behind; its console lines have been shown already. */
public final class GenerationReport {
  private final long tests;
  private final long files;
  private final String report;
  private final boolean upToDate;

  private GenerationReport(long tests, long files, String report, boolean upToDate) {
    this.tests = tests;
    this.files = files;
    this.report = report;
    this.upToDate = upToDate;
  }

  /** Reads the (name, value) pairs that the native side answers. */
  static GenerationReport fromPairs(String[] pairs) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i + 1 < pairs.length; i += 2) {
      values.put(pairs[i], pairs[i + 1]);
    }
    return new GenerationReport(
        Long.parseLong(values.getOrDefault("tests", "0")),
        Long.parseLong(values.getOrDefault("files", "0")),
        values.getOrDefault("report", ""),
        Boolean.parseBoolean(values.get("upToDate")));
  }

  /** Tests on disk after the run. */
  public long tests() {
    return tests;
  }

  /** Test files on disk after the run. */
  public long files() {
    return files;
  }

  /** The report's first page. */
  public Path report() {
    return Paths.get(report);
  }

  /** Whether nothing had changed, so that nothing was done. */
  public boolean upToDate() {
    return upToDate;
  }
}
