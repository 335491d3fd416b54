package io.palus.maven;

import io.palus.host.PalusException;
import io.palus.host.TraceLock;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Attaches the tracing agent to the tests that this build runs, where something has changed since
 * tests were written: appends it to the property {@code argLine}, which Surefire reads unless the
 * pom sets {@code <argLine>} itself.
 */
@Mojo(
    name = "prepare",
    defaultPhase = LifecyclePhase.PROCESS_TEST_CLASSES,
    requiresDependencyResolution = ResolutionScope.TEST,
    threadSafe = true)
public final class PrepareMojo extends PalusMojo {
  /** The property that the forked lifecycle's test phase reads. */
  static final String FORKED_ARG_LINE = "palus.argLine";

  /** The property by which the forked lifecycle leaves out tests whose trace is there already. */
  static final String FORKED_SKIP = "palus.skipTests";

  /** The property by which {@code test} learns that this build is to write tests anew. */
  static final String CHANGED = "palus.changed";

  /**
   * Phases at which all classes are there. Of the forked lifecycle and of a goal that is asked for
   * by name Maven says no phase.
   */
  private static final Set<String> COMPILED =
      Set.of(
          "process-classes",
          "generate-test-sources",
          "process-test-sources",
          "generate-test-resources",
          "process-test-resources",
          "test-compile",
          "process-test-classes",
          "test");

  /** Set by {@code palus:generate} for the lifecycle it forks. */
  @Parameter(defaultValue = "false")
  private boolean forked;

  /** Set by {@code palus:diff} for the lifecycle it forks. */
  @Parameter(defaultValue = "false")
  private boolean compares;

  /** The revision that {@code palus:diff} compares with, such as {@code main}. */
  @Parameter(property = "palus.since")
  private String since;

  @Override
  void run() {
    Agents.declareArgLine(project());
    if (!forked && isInForkedLifecycle()) {
      return; // That lifecycle has its own execution of this goal.
    }
    TestRun tests = testRun();
    if (compares) {
      new MavenBase(project(), session(), since).check(layout());
    }
    if (!tests.exists()) {
      return;
    }
    Agents agents = new Agents(project(), layout());
    if (forked) {
      prepareForked(tests, agents);
    } else {
      prepareBound(tests, agents);
    }
  }

  @Override
  boolean isOfBuild() {
    return !forked && !isAskedFor();
  }

  /** The forked lifecycle has nothing to run its tests for. */
  @Override
  void skipped() {
    Agents.declareArgLine(project());
    if (forked) {
      project().getProperties().setProperty(FORKED_SKIP, "true");
      project().getProperties().setProperty("skipTests", "true");
    }
  }

  /**
   * The user's effective line plus ours. The configuration in {@code lifecycle.xml} carries it past
   * a literal line in the pom; where the pom configures nothing of Surefire, Maven 4 drops that
   * configuration, but then the properties count.
   */
  private void prepareForked(TestRun tests, Agents agents) {
    agents.remove();
    Properties properties = project().getProperties();
    properties.setProperty("maven.test.failure.ignore", "true");
    properties.setProperty(FORKED_SKIP, Boolean.toString(tests.isSkipped()));
    Optional<String> literal = tests.literalArgLine();
    if (literal.isPresent()) {
      String line = ArgLine.append(literal.get(), arguments(tests, agents));
      properties.setProperty(FORKED_ARG_LINE, line);
    } else {
      agents.attach(arguments(tests, agents));
      properties.setProperty(FORKED_ARG_LINE, "${argLine}");
    }
    if (!tests.isForked()) {
      getLog()
          .warn(
              "forkCount 0: Surefire runs the tests in Maven's own JVM, where they cannot be"
                  + " traced");
    }
  }

  /** The user's own tests run also where they cannot be traced. */
  private void prepareBound(TestRun tests, Agents agents) {
    agents.remove();
    try {
      attach(tests, agents);
    } catch (PalusException e) {
      if (!isOfBuild() || e.kind() != PalusException.Kind.CONFIGURATION) {
        throw e;
      }
      agents.remove();
      Tracing.end(this);
      LeftAlone.leave(this, e.userMessage());
    }
  }

  private void attach(TestRun tests, Agents agents) {
    TraceLock lock = Tracing.lock(this);
    Inputs inputs = new Inputs(project(), session(), tests);
    String digest = TraceRecord.digest(layout(), inputs.classPath(), inputs.testRun(toolchains()));
    TraceRecord record = new TraceRecord(layout());
    if (record.isCompleteFor(digest) && record.isGenerated()) {
      lock.close();
      return;
    }
    boolean generates = PalusInPom.goals(project()).contains("generate-no-fork");
    if (generates) {
      project().getProperties().setProperty(CHANGED, "true");
    }
    if (!tests.isWhole(session())) {
      lock.close();
      return; // What is traced would be no base to write tests from.
    }
    inputs.checkTraceable();
    record.begin(digest);
    if (!generates) {
      lock.close(); // Nobody reads these traces in this build.
    }
    agents.jacocoFile().ifPresent(record::watch);
    String literal = tests.literalArgLine().orElse("@{argLine}");
    if (literal.contains("@{argLine}") || literal.contains("${argLine}")) {
      agents.attach(arguments(tests, agents));
      return;
    }
    getLog()
        .warn(
            "the pom sets <argLine> of maven-surefire-plugin, so the tests are not traced; write"
                + " @{argLine} and a blank there, before what it is now");
  }

  private String arguments(TestRun tests, Agents agents) {
    boolean isCompiled =
        execution() != null && COMPILED.contains(String.valueOf(execution().getLifecyclePhase()));
    return agents.arguments(isCompiled, tests.jvmArguments(session()), tests.environment());
  }
}
