package io.palus.gradle;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.gradle.api.GradleException;
import org.gradle.api.Project;
import org.gradle.api.file.FileCollection;
import org.gradle.api.invocation.Gradle;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.testing.Test;
import org.gradle.api.tasks.testing.TestFrameworkOptions;
import org.gradle.api.tasks.testing.junit.JUnitOptions;
import org.gradle.api.tasks.testing.junitplatform.JUnitPlatformOptions;
import org.gradle.api.tasks.testing.testng.TestNGOptions;
import org.gradle.testing.jacoco.plugins.JacocoTaskExtension;

/**
 * Makes one test task run as another does; Gradle has no call for that. Everything is replaced, not
 * added to: what a build script says of all test tasks has reached the copy already. Actions
 * ({@code doFirst}) and what other plugins hang on a task are not copied; tracing the task itself
 * ({@code automatic = 'GENERATE'}) is for builds that need them.
 */
final class TestCopy {
  private TestCopy() {}

  /**
   * Copies how tests run: JVM, parallelism, what runs before them and after them; not which tests.
   */
  static void settings(Test from, Test to) {
    jvm(from, to);
    CopiedArguments copied =
        new CopiedArguments(to.getJvmArgumentProviders(), from.getJvmArgumentProviders());
    to.getJvmArgumentProviders().add(copied);
    setForkEvery(to, from.getForkEvery());
    to.setMaxParallelForks(from.getMaxParallelForks());
    // Files that the build script declares for its own task; there is no telling them from others.
    // Not the class paths: those are inputs of the copy already, as class paths. By their bytes,
    // the
    // jars of other modules are new in each checkout, for they hold times.
    to.getInputs()
        .files(from.getInputs().getFiles().minus(classPaths(from)))
        .withPropertyName("inputsOfCopiedTask")
        .withPathSensitivity(PathSensitivity.RELATIVE)
        .ignoreEmptyDirectories()
        .optional();
    to.dependsOn(from.getDependsOn());
    to.finalizedBy(new Finalizers(from));
    // Both may use the same file or port, and a configuration cache lets tasks of a project run at
    // the same time.
    to.mustRunAfter(from);
    jacoco(from, to);
    follow(from, to);
  }

  /** Has what is set on a task as late as when the task graph is known set on its copy, too. */
  private static void follow(Test from, Test to) {
    OwnSettings known = OwnSettings.of(from);
    Gradle gradle = to.getProject().getGradle();
    gradle.getTaskGraph().whenReady(graph -> OwnSettings.of(from).restore(known, to));
  }

  private static FileCollection classPaths(Test task) {
    FileCollection classPaths = task.getClasspath().plus(task.getTestClassesDirs());
    FileCollection boot = task.getBootstrapClasspath();
    return boot == null ? classPaths : classPaths.plus(boot);
  }

  /**
   * {@code Test.copyTo} does nearly this, but asks argument providers for their arguments while the
   * build is still being configured.
   */
  private static void jvm(Test from, Test to) {
    to.setJvmArgs(from.getJvmArgs());
    to.setSystemProperties(from.getSystemProperties());
    to.setMinHeapSize(from.getMinHeapSize());
    to.setMaxHeapSize(from.getMaxHeapSize());
    to.setDefaultCharacterEncoding(from.getDefaultCharacterEncoding());
    to.setEnableAssertions(from.getEnableAssertions());
    to.setBootstrapClasspath(from.getBootstrapClasspath());
    Map<String, Object> environment = Environment.of(from);
    if (environment != null) {
      to.setEnvironment(environment);
    }
    to.setWorkingDir(from.getWorkingDir());
    if (from.getExecutable() != null) {
      to.setExecutable(from.getExecutable());
    }
    to.getJavaLauncher().set(from.getJavaLauncher());
    to.getModularity().getInferModulePath().set(from.getModularity().getInferModulePath());
  }

  /**
   * Gradle 7.6 has a setter for {@code Long} alone, 8.1 one for {@code long} too, 9 the latter
   * alone.
   */
  static void setForkEvery(Test to, long forkEvery) {
    if (to.getForkEvery() == forkEvery) {
      return;
    }
    try {
      Test.class.getMethod("setForkEvery", long.class).invoke(to, forkEvery);
    } catch (NoSuchMethodException e) {
      to.setForkEvery(Long.valueOf(forkEvery));
    } catch (ReflectiveOperationException e) {
      throw new GradleException("cannot copy `forkEvery` of " + to.getPath(), e);
    }
  }

  /** Copies which tests run; after {@link #settings}. */
  static void selection(Test from, Test to) {
    to.setTestClassesDirs(from.getTestClassesDirs());
    to.setClasspath(from.getClasspath());
    to.setIncludes(from.getIncludes());
    to.setExcludes(from.getExcludes());
    to.setScanForTestClasses(from.isScanForTestClasses());
    to.getFilter().setIncludePatterns(from.getFilter().getIncludePatterns().toArray(new String[0]));
    to.getFilter().setExcludePatterns(from.getFilter().getExcludePatterns().toArray(new String[0]));
    to.getFilter().setFailOnNoMatchingTests(from.getFilter().isFailOnNoMatchingTests());
    groups(to, included(from.getOptions()), excluded(from.getOptions()));
  }

  /** Makes a task that runs the tests that Palus wrote; what is set on it itself holds. */
  static void written(Test from, Test to, OwnSettings plain, Project project, SourceSet test) {
    OwnSettings own = OwnSettings.of(to);
    settings(from, to);
    own.restore(plain, to);
    junit(from, to, () -> hasPlatform(project, test));
    selectWritten(to);
  }

  /**
   * Runs all the tests that Palus wrote, as it verified them: what selects among a user's tests by
   * name or tag knows nothing of ours, assertions of the code under test are part of what it does,
   * and none runs beside another, whatever a file of JUnit's says.
   */
  private static void selectWritten(Test to) {
    to.setEnableAssertions(true);
    to.systemProperty("junit.jupiter.execution.parallel.enabled", "false");
    to.systemProperty("junit.vintage.execution.parallel.enabled", "false");
    to.setIncludes(Set.of());
    to.setExcludes(Set.of());
    to.setScanForTestClasses(true);
    to.getFilter().setIncludePatterns();
    to.getFilter().setExcludePatterns();
    groups(to, Set.of(), Set.of());
  }

  /**
   * Copies what runs tests, but JUnit in place of TestNG: the tests that Palus wrote are JUnit's.
   */
  private static void junit(Test from, Test to, BooleanSupplier hasPlatform) {
    if (!(from.getOptions() instanceof TestNGOptions)) {
      framework(from, to);
    } else if (hasPlatform.getAsBoolean()) {
      to.useJUnitPlatform();
    } else {
      to.useJUnit();
    }
  }

  /** Whether the build script asks for the JUnit Platform, as far as it is known unresolved. */
  private static boolean hasPlatform(Project project, SourceSet test) {
    return project
        .getConfigurations()
        .getByName(test.getRuntimeClasspathConfigurationName())
        .getAllDependencies()
        .stream()
        .anyMatch(one -> String.valueOf(one.getGroup()).startsWith("org.junit."));
  }

  /** Copies what runs tests; before what selects among them. */
  static void framework(Test from, Test to) {
    TestFrameworkOptions options = from.getOptions();
    if (options instanceof JUnitPlatformOptions) {
      JUnitPlatformOptions source = (JUnitPlatformOptions) options;
      to.useJUnitPlatform(
          target -> {
            target.setIncludeEngines(new LinkedHashSet<>(source.getIncludeEngines()));
            target.setExcludeEngines(new LinkedHashSet<>(source.getExcludeEngines()));
          });
    } else if (options instanceof JUnitOptions) {
      to.useJUnit();
    } else if (options instanceof TestNGOptions) {
      to.useTestNG();
    }
  }

  private static Set<String> included(TestFrameworkOptions options) {
    if (options instanceof JUnitPlatformOptions) {
      return ((JUnitPlatformOptions) options).getIncludeTags();
    }
    return options instanceof JUnitOptions
        ? ((JUnitOptions) options).getIncludeCategories()
        : Set.of();
  }

  private static Set<String> excluded(TestFrameworkOptions options) {
    if (options instanceof JUnitPlatformOptions) {
      return ((JUnitPlatformOptions) options).getExcludeTags();
    }
    return options instanceof JUnitOptions
        ? ((JUnitOptions) options).getExcludeCategories()
        : Set.of();
  }

  private static void groups(Test to, Set<String> included, Set<String> excluded) {
    TestFrameworkOptions options = to.getOptions();
    if (options instanceof JUnitPlatformOptions) {
      ((JUnitPlatformOptions) options).setIncludeTags(new LinkedHashSet<>(included));
      ((JUnitPlatformOptions) options).setExcludeTags(new LinkedHashSet<>(excluded));
    } else if (options instanceof JUnitOptions) {
      ((JUnitOptions) options).setIncludeCategories(new LinkedHashSet<>(included));
      ((JUnitOptions) options).setExcludeCategories(new LinkedHashSet<>(excluded));
    }
  }

  private static void jacoco(Test from, Test to) {
    JacocoTaskExtension source = from.getExtensions().findByType(JacocoTaskExtension.class);
    JacocoTaskExtension target = to.getExtensions().findByType(JacocoTaskExtension.class);
    if (source != null && target != null) {
      target.setEnabled(source.isEnabled());
      target.setIncludes(source.getIncludes());
      target.setExcludes(source.getExcludes());
      target.setExcludeClassLoaders(source.getExcludeClassLoaders());
      target.setIncludeNoLocationClasses(source.isIncludeNoLocationClasses());
    }
  }

  /** How the project measures the coverage of a test task itself; null where it does not. */
  static JacocoTaskExtension jacoco(Test task) {
    JacocoTaskExtension jacoco = task.getExtensions().findByType(JacocoTaskExtension.class);
    return jacoco != null && jacoco.isEnabled() ? jacoco : null;
  }
}
