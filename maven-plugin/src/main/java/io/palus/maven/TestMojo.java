package io.palus.maven;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.maven.lifecycle.LifecycleExecutor;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Component;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Compiles the written tests and runs them by the project's own Surefire, in a JVM and with folders
 * of their own: what they leave in static fields, the project's own tests never see, and no class
 * of them is among what the project compiled.
 *
 * <p>Where {@code prepare} and {@code generate-no-fork} are bound too and something has changed
 * since the tests were written, the engine runs them: one that fails is behaviour that changed, and
 * fails the build before any is replaced. In any other build the engine runs those tests first, in
 * its sandbox, whose code has changed since they passed there: what a test calls may do harm now.
 */
@Mojo(
    name = "test",
    defaultPhase = LifecyclePhase.TEST,
    requiresDependencyResolution = ResolutionScope.TEST,
    threadSafe = true)
public final class TestMojo extends PalusMojo {
  @Component private LifecycleExecutor lifecycle;

  @Override
  void run() throws MojoExecutionException, MojoFailureException {
    TestRun tests = testRun();
    if (isInForkedLifecycle() || !tests.exists()) {
      return; // palus:generate runs the project's own tests alone.
    }
    if (tests.isSkipped()) {
      getLog().info("Palus: tests are skipped, written ones too");
      return;
    }
    Layout layout = layout();
    layout.delete(layout.writtenReports());
    List<Path> sources = Layout.files(outputDirectory().toPath(), ".java");
    if (sources.isEmpty()) {
      getLog().info("Palus: no tests are written yet");
      return;
    }
    if (project().getProperties().getProperty(PrepareMojo.CHANGED) != null) {
      compare(tests);
      return;
    }
    if (tests.isSetByUser("suiteXmlFiles", session())) {
      getLog().info("Palus: the tests of a suite were asked for, so written ones are left out");
      return;
    }
    if (passesInTheSandbox() && compile(sources, layout)) {
      getLog().info("Palus: " + sources.size() + " written test classes run in a JVM of their own");
      Agents.declareArgLine(project());
      new WrittenTests(session(), plugins(), layout)
          .run(tests.execution(lifecycle, session()), tests.isForked());
    }
  }

  /** Also by name: a build is not to fail where nothing can look at written tests. */
  @Override
  boolean isOfBuild() {
    return true;
  }

  /**
   * Whether written tests may run without walls: they were verified on other code if anything has
   * changed since, and may do anything then.
   */
  private boolean passesInTheSandbox() {
    boolean isChanged = new Generation(this).findsChanges();
    if (isChanged) {
      getLog().warn("Palus: written tests fail in the sandbox, so none runs outside of it");
    }
    return !isChanged;
  }

  /** In a build that is to write tests anew. */
  private void compare(TestRun tests) {
    if (acceptsChanges()) {
      getLog().info("Palus: this build replaces written tests that fail");
    } else if (tests.isWhole(session())) {
      new Generation(this).compare();
    } else {
      getLog().info("Palus: not all tests ran, so written ones are left out of this build");
    }
  }

  private boolean compile(List<Path> sources, Layout layout) {
    Inputs inputs = new Inputs(project(), session(), testRun());
    layout.delete(layout.writtenClasses());
    Optional<String> refusal =
        testCompiler()
            .compile(
                sources,
                inputs.classPath(),
                layout.writtenClasses(),
                inputs.javaHome(toolchains()));
    refusal.ifPresent(
        said -> {
          if (!acceptsChanges()) {
            new Generation(this).compare(); // It names what changed.
          }
          getLog()
              .warn(
                  "the tests that Palus wrote do not compile any more and are left out; run"
                      + " palus:generate");
          getLog().warn(said.lines().findFirst().orElse(""));
          getLog().debug(said);
        });
    return refusal.isEmpty();
  }
}
