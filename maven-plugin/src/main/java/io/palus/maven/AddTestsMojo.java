package io.palus.maven;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Lets the written tests join this build's test run, with Surefire's configuration untouched. They
 * are compiled into folders of Palus's own: what the project compiled stays as it is, and a build
 * without this goal runs none of them.
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
    if (BoundGoals.of(project()).contains("generate-no-fork")) {
      String digest = TraceRecord.digest(layout, inputs.classPath(), inputs.jvmArguments());
      TraceRecord record = new TraceRecord(layout);
      if (!record.isCompleteFor(digest) || !record.isGenerated()) {
        if (isWholeRun()) {
          record.begin(digest);
          new Agents(project(), layout).jacocoFile().ifPresent(record::watch);
        }
        return;
      }
    }
    new Agents(project(), layout).remove(); // Never trace our own tests.
    add(layout, inputs);
  }

  /**
   * Whether this build runs all of the project's tests; else what it traces is no base to generate
   * from.
   */
  private boolean isWholeRun() {
    return !testRun().isSkipped() && session().getUserProperties().getProperty("test") == null;
  }

  private void add(Layout layout, Inputs inputs) {
    List<Path> sources = Layout.files(outputDirectory().toPath(), ".java");
    TestRun tests = testRun();
    if (sources.isEmpty() || tests.isSkipped()) {
      return;
    }
    if (tests.hasLiteralTestClasses()) {
      getLog()
          .warn(
              "the pom sets <testClassesDirectory> of maven-surefire-plugin, so the tests that"
                  + " Palus wrote cannot join this build's tests; remove it, where it is the"
                  + " default, or set <testOutputDirectory> of <build> instead");
      return;
    }
    Path compiled = layout.writtenClasses();
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
    new TestOutput(project()).join(compiled);
    getLog().info("Palus: " + sources.size() + " written test classes join this build's tests");
  }
}
