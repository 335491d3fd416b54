package io.palus.maven;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Compiles the written tests into the project's compiled tests, so that Surefire runs them with its
 * configuration untouched.
 *
 * <p>Where {@code generate-no-fork} is bound too and something has changed since the tests were
 * written, they are left out: this build traces the project's own tests alone and writes new ones.
 */
@Mojo(
    name = "add-tests",
    defaultPhase = LifecyclePhase.PROCESS_TEST_CLASSES,
    requiresDependencyResolution = ResolutionScope.TEST,
    threadSafe = true)
public final class AddTestsMojo extends PalusMojo {
  @Override
  void run() {
    if (project().getProperties().getProperty(PrepareMojo.FORKED_ARG_LINE) != null) {
      return; // In the lifecycle that palus:generate forks the project's own tests run alone.
    }
    Layout layout = layout();
    Inputs inputs = new Inputs(project(), session(), testRun());
    TestOutput output = new TestOutput(layout);
    if (BoundGoals.of(project()).contains("generate-no-fork")) {
      String digest =
          TraceRecord.digest(layout, inputs.classPath(), inputs.jvmArguments(), output.added());
      TraceRecord record = new TraceRecord(layout);
      if (!record.isCompleteFor(digest) || !record.isGenerated()) {
        output.removeAdded();
        if (isWholeRun()) {
          record.begin(digest);
          new Agents(project(), layout).jacocoFile().ifPresent(record::watch);
        }
        return;
      }
    }
    new Agents(project(), layout).remove(); // Never trace our own tests.
    add(layout, inputs, output);
  }

  /**
   * Whether this build runs all of the project's tests; else what it traces is no base to generate
   * from.
   */
  private boolean isWholeRun() {
    return !testRun().isSkipped() && session().getUserProperties().getProperty("test") == null;
  }

  private void add(Layout layout, Inputs inputs, TestOutput output) {
    List<Path> sources = Layout.files(outputDirectory().toPath(), ".java");
    output.removeAdded();
    if (sources.isEmpty() || testRun().isSkipped()) {
      return;
    }
    Path compiled = layout.work().resolve("added-classes");
    Layout.delete(compiled);
    Optional<String> refusal =
        testCompiler()
            .compile(sources, inputs.classPath(), compiled, inputs.javaHome(toolchains()));
    if (refusal.isPresent()) {
      getLog()
          .warn(
              "the tests that Palus wrote do not compile any more and are left out; run"
                  + " palus:generate");
      getLog().warn(refusal.get().lines().findFirst().orElse(""));
      getLog().debug(refusal.get());
      return;
    }
    output.add(compiled);
    project().addTestCompileSourceRoot(outputDirectory().getAbsolutePath());
    getLog().info("Palus: " + sources.size() + " written test classes join this build's tests");
  }
}
