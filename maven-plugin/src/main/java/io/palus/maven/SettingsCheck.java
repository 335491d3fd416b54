package io.palus.maven;

import io.palus.host.Console;
import io.palus.host.OptionNames;
import io.palus.host.Palus;
import java.util.Set;
import java.util.TreeSet;
import org.apache.maven.project.MavenProject;

/** A look at all that the user set, before a goal does anything. */
final class SettingsCheck {
  /** Properties that goals leave for one another. */
  private static final Set<String> INTERNAL =
      Set.of(
          PrepareMojo.FORKED_ARG_LINE,
          PrepareMojo.FORKED_SKIP,
          PrepareMojo.CHANGED,
          LeftAlone.PROPERTY,
          Agents.ADDED);

  private SettingsCheck() {}

  static void run(PalusMojo mojo, String testTask) {
    MavenProject project = mojo.project();
    Set<String> names = new TreeSet<>(project.getProperties().stringPropertyNames());
    names.addAll(mojo.session().getUserProperties().stringPropertyNames());
    names.removeAll(INTERNAL);
    Set<String> known = new TreeSet<>(OptionNames.SHARED);
    known.add(OptionNames.METHOD);
    known.add(OptionNames.CACHE_DIRECTORY);
    known.add(OptionNames.SINCE);
    Console console = Once.console(mojo);
    Palus.checkElements(PalusInPom.elements(project), known, console);
    TestRun.checkExecution(project, testTask);
    Palus.check(mojo.optionsAndFolders().build(), names, known, console);
  }
}
