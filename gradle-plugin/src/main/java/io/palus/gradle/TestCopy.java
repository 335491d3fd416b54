package io.palus.gradle;

import org.gradle.api.tasks.testing.Test;
import org.gradle.api.tasks.testing.TestFrameworkOptions;
import org.gradle.api.tasks.testing.junit.JUnitOptions;
import org.gradle.api.tasks.testing.junitplatform.JUnitPlatformOptions;
import org.gradle.api.tasks.testing.testng.TestNGOptions;
import org.gradle.process.CommandLineArgumentProvider;

/**
 * Makes one test task run as another does; Gradle has no call for that. Actions ({@code doFirst})
 * and what other plugins hang on a task are not copied; tracing the task itself ({@code automatic =
 * 'GENERATE'}) is for builds that need them.
 */
final class TestCopy {
  private TestCopy() {}

  /** Copies how tests run: JVM, framework, parallelism; not which tests. */
  static void settings(Test from, Test to) {
    from.copyTo(to);
    for (CommandLineArgumentProvider provider : from.getJvmArgumentProviders()) {
      // Gradle's JaCoCo plugin gives each task a provider of its own, with a file of its own.
      boolean jacoco = provider.getClass().getName().startsWith("org.gradle.testing.jacoco.");
      if (!jacoco && !(provider instanceof TraceArguments)) {
        to.getJvmArgumentProviders().add(provider);
      }
    }
    to.getJavaLauncher().set(from.getJavaLauncher());
    to.setForkEvery(from.getForkEvery());
    to.setMaxParallelForks(from.getMaxParallelForks());
    to.getInputs()
        .files(from.getInputs().getFiles())
        .withPropertyName("inputsOfCopiedTask")
        .optional();
    to.dependsOn(from.getDependsOn());
    framework(from, to);
  }

  /** Copies which tests run. */
  static void selection(Test from, Test to) {
    to.setIncludes(from.getIncludes());
    to.setExcludes(from.getExcludes());
    to.setScanForTestClasses(from.isScanForTestClasses());
    to.getFilter().setIncludePatterns(from.getFilter().getIncludePatterns().toArray(new String[0]));
    to.getFilter().setExcludePatterns(from.getFilter().getExcludePatterns().toArray(new String[0]));
    to.getFilter().setFailOnNoMatchingTests(from.getFilter().isFailOnNoMatchingTests());
  }

  private static void framework(Test from, Test to) {
    TestFrameworkOptions options = from.getOptions();
    if (options instanceof JUnitPlatformOptions) {
      JUnitPlatformOptions source = (JUnitPlatformOptions) options;
      to.useJUnitPlatform(
          target -> {
            target.setIncludeEngines(source.getIncludeEngines());
            target.setExcludeEngines(source.getExcludeEngines());
            target.setIncludeTags(source.getIncludeTags());
            target.setExcludeTags(source.getExcludeTags());
          });
    } else if (options instanceof JUnitOptions) {
      JUnitOptions source = (JUnitOptions) options;
      to.useJUnit(
          target -> {
            target.setIncludeCategories(source.getIncludeCategories());
            target.setExcludeCategories(source.getExcludeCategories());
          });
    } else if (options instanceof TestNGOptions) {
      to.useTestNG();
    }
  }
}
