package io.palus.maven;

import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Part of the lifecycle that {@code palus:generate} forks, not for the command line: puts old
 * traces away, or leaves out the tests where nothing has changed since they were traced.
 */
@Mojo(
    name = "prepare-trace",
    defaultPhase = LifecyclePhase.PROCESS_TEST_CLASSES,
    requiresDependencyResolution = ResolutionScope.TEST,
    threadSafe = true)
public final class PrepareTraceMojo extends PalusMojo {
  private static final Pattern EXPRESSION = Pattern.compile("\\$\\{([^}]+)}");

  @Override
  void run() {
    Layout layout = layout();
    TestRun tests = testRun();
    if (tests.exists() && Layout.holdsClasses(layout.classes())) {
      tests.provider().check();
    }
    Tracing.lock(this);
    Inputs inputs = new Inputs(project(), session(), tests);
    List<String> run = inputs.testRun(toolchains());
    String chosen = TestRun.chosen(session());
    if (chosen != null) {
      getLog().warn("-Dtest chooses some of the project's tests: Palus learns from these alone");
      run.add("test=" + chosen);
    }
    String digest = TraceRecord.digest(layout, inputs.classPath(), run);
    TraceRecord record = new TraceRecord(layout);
    Properties properties = project().getProperties();
    if (record.isCompleteFor(digest)) {
      getLog().info("Palus: nothing changed since the tests were traced, they need not run");
      properties.setProperty(PrepareMojo.FORKED_SKIP, "true");
      properties.setProperty("skipTests", "true");
      return;
    }
    record.begin(digest);
    // By now every plugin of earlier phases has had its say in the properties. Left to the build's
    // own evaluation, Maven 4
    // would lose what stands behind an expression.
    Agents agents = new Agents(project(), layout);
    agents.redirectJacoco(layout.executionData());
    agents.coverOnlyClasses(TestRun.ARG_LINE, Agents.ADDED, PrepareMojo.FORKED_ARG_LINE);
    String line = properties.getProperty(PrepareMojo.FORKED_ARG_LINE, "");
    properties.setProperty(PrepareMojo.FORKED_ARG_LINE, resolve(line, agents).trim());
  }

  /**
   * Replaces the expressions that are properties, as Surefire would read them: the command line
   * wins.
   */
  private String resolve(String line, Agents agents) {
    Matcher matcher = EXPRESSION.matcher(line);
    StringBuilder resolved = new StringBuilder();
    while (matcher.find()) {
      String name = matcher.group(1);
      String value = session().getUserProperties().getProperty(name);
      if (value == null) {
        value = project().getProperties().getProperty(name, matcher.group());
      } else if (name.equals(TestRun.ARG_LINE)) {
        value = ArgLine.append(value, agents.added());
      }
      matcher.appendReplacement(resolved, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(resolved).toString();
  }
}
