package io.palus.maven;

import java.util.Properties;
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
  @Override
  void run() {
    Layout layout = layout();
    TestOutput output = new TestOutput(layout);
    output.removeAdded(); // Never trace our own tests.
    Inputs inputs = new Inputs(project(), session(), testRun());
    String digest =
        TraceRecord.digest(layout, inputs.classPath(), inputs.jvmArguments(), output.added());
    TraceRecord record = new TraceRecord(layout);
    Properties properties = project().getProperties();
    if (record.isCompleteFor(digest)) {
      getLog().info("Palus: nothing changed since the tests were traced, they need not run");
      properties.setProperty(PrepareMojo.FORKED_SKIP, "true");
      properties.setProperty("skipTests", "true");
      return;
    }
    record.begin(digest);
    // By now every plugin of earlier phases has had its say in the property.
    String line = properties.getProperty(PrepareMojo.FORKED_ARG_LINE, "");
    String users = argLine(properties);
    properties.setProperty(PrepareMojo.FORKED_ARG_LINE, line.replace("${argLine}", users).trim());
    Agents agents = new Agents(project(), layout);
    if (agents.projectHasJacoco()) {
      agents.redirectJacoco(TestRun.ARG_LINE);
      agents.redirectJacoco(PrepareMojo.FORKED_ARG_LINE);
    }
  }

  /** The property as Surefire would read it: the command line wins. */
  private String argLine(Properties properties) {
    String users = session().getUserProperties().getProperty(TestRun.ARG_LINE);
    String projects = properties.getProperty(TestRun.ARG_LINE, "");
    return users == null
        ? projects
        : ArgLine.append(users, new Agents(project(), layout()).added());
  }
}
